import { fileURLToPath } from 'node:url';
import { files, imports, isProduct, isScript, listed, read, text } from './modules.ts';

/**
 * Exports that no other file imports, nor looks up by a name that its source spells.
 *
 * An import counts for the names it takes: `{ a }`, `all.a` of `* as all`, the members read of `await import()`,
 * and for all of a module that is passed on whole. `export *` hands the names on that are taken from it. Where
 * a path has `${…}` in it, every file that fits is meant.
 *
 *   node tools/exports.ts    lists them, and fails where there is one
 */

/** Modules whose exports are looked up by a string, and the files that spell it. */
const LOOKED_UP: readonly { readonly module: RegExp; readonly by: RegExp | readonly string[] }[] = [
  // Kernels of the WASM module: a schedule names its commands as the rows and the binders do.
  {
    module: /^engine\/backends\/wasm\/assembly\/index\.ts$/,
    by: /^engine\/(kernels\/[\w-]+|backends\/wasm\/[\w-]+|neurons\/catalogue)\.ts$/,
  },
  // Durable Objects, by their classes; entry points, by the service that worker.ts declares (gateway/worker-services.ts).
  { module: /^edge\/worker\.ts$/, by: ['wrangler.toml', 'edge/worker.ts'] },
  // The runner of a plugin is bundled, and the text of its first module calls it.
  { module: /^compute\/plugins\/plugin-runner\.ts$/, by: ['compute/plugins/plugin-runtimes.ts'] },
  { module: /^examples\/plugins\/.*\/plugin\.ts$/, by: ['compute/plugins/plugin-tasks.ts'] },
  // The package has them in place of those that package.json names.
  {
    module: /^engine\/backends\/wasm\/host\/host-packed-\w+\.ts$/,
    by: ['engine/backends/wasm/player.ts'],
  },
  { module: /^shaders\/source-packed\.ts$/, by: ['shaders/source-vite.ts'] },
  // The build writes modules that import them.
  { module: /^web\/i18n\/fetched-words\.ts$/, by: ['vite.config.ts'] },
  { module: /^web\/workers\/preload\.ts$/, by: ['node_modules/vite/dist/node/chunks/node.js'] },
];

const DECLARED =
  /(?:^|\n)export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/g;

type Used = ReadonlySet<string> | 'all';

export function unusedExports(): readonly string[] {
  const used = new Map<string, Used>();
  const use = (file: string, names: Used | readonly string[]) => {
    const before = used.get(file) ?? new Set<string>();
    used.set(file, before === 'all' || names === 'all' ? 'all' : new Set([...before, ...names]));
  };
  for (const { to, names } of [...imports.values()].flat()) use(to, names);
  for (const file of files) {
    const lookup = LOOKED_UP.find(({ module }) => module.test(file));
    if (lookup) use(file, wordsOf(lookup.by));
  }
  // A module that hands everything on, then what it hands on: two steps are as many as there are.
  for (let step = 0; step < 2; step++) {
    for (const [file, all] of imports) {
      for (const { to, isPassedOn } of all) if (isPassedOn) use(to, used.get(file) ?? []);
    }
  }
  return files
    .filter((file) => isProduct(file) && isScript(file))
    .flatMap((file) => {
      const names = used.get(file) ?? new Set();
      if (names === 'all') return [];
      return exportsOf(file)
        .filter((name) => !names.has(name))
        .map((name) => `${file} ${name}`);
    });
}

/** Every word of some files outside their comments, and each with the ends of templates such as `${model}_step`. */
function wordsOf(by: RegExp | readonly string[]): readonly string[] {
  const sources = by instanceof RegExp ? files.filter((file) => by.test(file)) : by;
  const code = sources
    .map((file) => read(file).replaceAll(/\/\*[^]*?\*\/|^\s*(?:\/\/|#).*$/gm, ''))
    .join('\n');
  const words = [...new Set(code.match(/\w+/g))];
  const ends = Array.from(code.matchAll(/`\$\{[^}]*\}(\w+)`/g), ([, end = '']) => end);
  return [...words, ...ends.flatMap((end) => words.map((word) => word + end))];
}

function exportsOf(file: string): readonly string[] {
  const source = text.get(file) ?? '';
  const declared = Array.from(source.matchAll(DECLARED), ([, name = '']) => name);
  const lists = source.matchAll(/(?:^|\n)export (?:type )?\{([^}]*)\}/g);
  const again = Array.from(lists, ([, list = '']) => listed(list).map(([, name]) => name)).flat();
  return [...declared, ...again];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const unused = unusedExports();
  for (const name of unused) console.log(name);
  process.exitCode = unused.length === 0 ? 0 : 1;
}

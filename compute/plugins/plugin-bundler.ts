import { build, type Loader, type Plugin } from 'esbuild';

/** A process that makes one module of a plugin's; what it reads is a stranger's, so it does nothing else. */
export interface Unbundled {
  /** Contents by path below the folder, with `/`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly entry: string;
}

export type Bundled = { readonly text: string } | { readonly mistake: string };

/** Where the isolate has what a plugin imports as `spikegrid`. */
const API_MODULE = './spikegrid.js';

const TOO_MUCH = 'its modules are too large or too deep to be put together';
const LOADERS: Readonly<Record<string, Loader>> = { js: 'js', mjs: 'js', ts: 'ts', json: 'json' };
const OWN = 'plugin';

process.once('message', async (given: Unbundled) => {
  const made = await bundle(given);
  process.send?.(made, () => process.exit());
});
process.once('disconnect', () => process.exit());

async function bundle({ files, entry }: Unbundled): Promise<Bundled> {
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2024',
      write: false,
      logLevel: 'silent',
      plugins: [ownFiles(files)],
    });
    return { text: outputFiles[0]?.text ?? '' };
  } catch (error) {
    return { mistake: mistakeOf(error) };
  }
}

/** Has a plugin import `spikegrid` and its own files, as they were read, and nothing else. */
const ownFiles = (files: Unbundled['files']): Plugin => ({
  name: OWN,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return { path, namespace: OWN };
      if (path === 'spikegrid') return { path: API_MODULE, external: true };
      const place = /^\.{0,2}\//.test(path) ? placeOf(path, importer) : '';
      if (files.has(place)) return { path: place, namespace: OWN };
      // Dynamic imports fail then, as the isolate has no such module.
      if (kind === 'dynamic-import') return { path, external: true };
      const text = `it may not import "${path}": expected "spikegrid" or a file of its folder; modules of Node are for plugins with the permission node`;
      return { errors: [{ text }] };
    });
    onLoad({ filter: /.*/, namespace: OWN }, ({ path }) => {
      const loader = LOADERS[/\.(\w+)$/.exec(path)?.[1] ?? ''];
      const contents = files.get(path);
      if (loader && contents) return { contents, loader };
      return { errors: [{ text: `${path} is no .js, .mjs, .ts or .json` }] };
    });
  },
});

/** Where an import of a module leads below the folder; empty where it leads out of it. */
function placeOf(path: string, importer: string): string {
  const base = `file:///${OWN}/`;
  const { href } = new URL(path, new URL(encodeURI(importer), base));
  return href.startsWith(base) ? decodeURI(href.slice(base.length)) : '';
}

interface Mistake {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number } | null;
}

/** The first thing that is wrong, with its place. */
function mistakeOf(error: unknown): string {
  const [first] = (error as { readonly errors?: readonly Mistake[] }).errors ?? [];
  // esbuild itself has ended.
  if (!first) return TOO_MUCH;
  const { text, location } = first;
  return location ? `${location.file.replace(`${OWN}:`, '')}:${location.line}: ${text}` : text;
}

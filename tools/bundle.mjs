// Bundles the Node side: a command of some 600 modules then starts from a few files, in a fifth of the time.
// Plain JavaScript, as tools/run.mjs imports it before any other Node than the system's may be there.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/node');

/** The modules that processes and threads start with, by the name of their bundle. */
const ENTRIES = {
  spikegrid: 'compute/cli/main.ts',
  launcher: 'compute/launcher/main.ts',
  build: 'compute/launcher/build.ts',
  deploy: 'compute/deploy/main.ts',
  backup: 'compute/backup/main.ts',
  'job-process': 'compute/trainer/job-process.ts',
  'device-probe': 'compute/trainer/device-probe.ts',
  'engine-thread': 'compute/inference/engine-thread.ts',
  'hdf5-thread': 'compute/nir/hdf5-thread.ts',
  'thread-node': 'engine/backends/wasm/host/thread-node.ts',
};
const SOURCES = ['compute', 'engine', 'shaders', 'edge', 'trainer', 'brain'];
/** Left in node_modules: they bring binaries or files of their own, or (mqtt) use what Node warns of in code of ours. */
const EXTERNAL = [
  'webgpu',
  'workerd',
  'miniflare',
  'wrangler',
  'vite',
  'esbuild',
  'h5wasm',
  '@napi-rs/canvas',
  'mqtt',
];

/** Brings dist/node up to date with its sources; the folder appears by one rename. */
export async function bundleNode() {
  const digest = digestOfSources();
  const stamp = join(target, 'digest');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  process.stderr.write('spikegrid: bundling the commands …\n');
  const { build } = await import('esbuild');
  mkdirSync(join(root, 'dist'), { recursive: true });
  const partial = mkdtempSync(`${target}-`);
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: partial,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: EXTERNAL,
    sourcemap: true,
    logLevel: 'warning',
    // Libraries in CommonJS that are bundled ask for Node's own modules by it.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
    plugins: [sourceAddresses],
  });
  writeFileSync(join(partial, 'digest'), digest);
  // mkdtemp makes it its user's alone, and a container runs as another one than builds it.
  chmodSync(partial, 0o755);
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
}

const entryOf = new Map(Object.entries(ENTRIES).map(([name, file]) => [join(root, file), name]));

/**
 * `import.meta.url` goes on meaning the source file, from which modules find the root of the checkout;
 * where it leads to the module of a process or thread, it leads to the bundle of that module.
 * @type {import('esbuild').Plugin}
 */
const sourceAddresses = {
  name: 'source-addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta.url')) return undefined;
      const here = `new URL('../../${relative(root, path)}', import.meta.url).href`;
      const contents = source.replaceAll(
        /new URL\('(\.[^']+\.ts)', import\.meta\.url\)|import\.meta\.url/g,
        (whole, to = '') => {
          const entry = entryOf.get(join(dirname(path), to));
          if (entry !== undefined) return `new URL('./${entry}.js', import.meta.url)`;
          return whole.replace('import.meta.url', here);
        },
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** Of the names, sizes and times of all sources, which is quicker than of their contents. */
function digestOfSources() {
  const hash = createHash('sha256');
  const modules = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  for (const path of ['tools/bundle.mjs', 'package-lock.json', ...modules.toSorted()]) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

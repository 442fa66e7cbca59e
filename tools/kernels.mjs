// Builds the kernels of the WASM backend from AssemblyScript when their sources have changed. Plain
// JavaScript, as tools/run.mjs imports it before any other Node than the system's may be there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'engine/backends/wasm/assembly');
const target = join(root, 'engine/backends/wasm/build');
const modules = join(root, 'node_modules');

const generated = join(sources, 'generated');
const argumentsWriter = join(root, 'tools/write-arguments.ts');
const tables = ['arguments.ts', 'sizes.ts'].map((file) => join(root, 'engine/backends/wasm', file));

/** Folders of what the kernels that are written in the kernel language are emitted from. */
const WRITTEN = ['engine/kernels', 'engine/kernel-language', 'engine/backends/wasm/emit'];
const emitter = join(root, 'tools/emit-kernels.ts');
const shrinker = join(root, 'tools/shrink-kernels.ts');

const COMMON = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--importMemory',
  '--disableWarning',
  '112',
  '--enable',
  'simd',
  '--enable',
  'bulk-memory',
];

/** Flags of each set of instructions; of each there is a build with a memory of its own, and a shared one. */
const BUILDS = { relaxed: ['--enable', 'relaxed-simd'], plain: [] };

/**
 * The import section of a build (WebAssembly core specification 2.0, 5.5.5; limits of the threads
 * proposal): `env.memory`, 1 page and more, or none where nothing is constant; or shared and 2 pages up to
 * all that 32 bits address.
 * @param {readonly number[]} limits
 */
const memoryImport = (limits) => {
  const content = [1, 3, ...Buffer.from('env'), 6, ...Buffer.from('memory'), 2, ...limits];
  return Buffer.from([2, content.length, ...content]);
};
const OWN_MEMORY = [memoryImport([0, 1]), memoryImport([0, 0])];
const SHARED_MEMORY = memoryImport([3, 2, 0x80, 0x80, 0x04]);

/**
 * Builds what is missing or out of date; the folder appears by one rename.
 * @param {string} node the Node to run the compiler with
 */
export async function buildKernels(node) {
  const digest = digestOf();
  const stamp = join(target, 'digest');
  const isBuilt = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (isBuilt && existsSync(generated)) return;
  process.stderr.write('spikegrid: building the WASM kernels …\n');
  mkdirSync(join(target, '..'), { recursive: true });
  await run(node, [argumentsWriter, generated]);
  const partial = mkdtempSync(`${target}-`);
  await Promise.all(
    Object.entries(BUILDS).map(async ([name, flags]) => {
      const own = join(partial, `${name}-own.wasm`);
      await compile(node, own, flags);
      if (name === 'plain') {
        // Cloudflare's runtime compiles nothing: what it serves is in its build, and training is not.
        const edge = join(partial, 'edge-own.wasm');
        copyFileSync(own, edge);
        await run(node, [emitter, edge, name, 'inference']);
      }
      // The package has equations emitted where they are called, and first the kernels of layers alone, with
      // the equations that a classifier needs.
      copyFileSync(own, join(partial, `whole-${name}-own.wasm`));
      const layers = join(partial, `layers-${name}-own.wasm`);
      await compile(node, layers, flags, 'layers.ts');
      await run(node, [emitter, layers, name, 'classifier']);
      await run(node, [emitter, own, name, 'all']);
      for (const prefix of ['', 'whole-', 'layers-']) {
        const shared = shareMemory(readFileSync(join(partial, `${prefix}${name}-own.wasm`)));
        writeFileSync(join(partial, `${prefix}${name}-shared.wasm`), shared);
      }
    }),
  );
  writeFileSync(join(partial, 'digest'), digest);
  // mkdtemp makes it its user's alone, and a container runs as another one than builds it.
  chmodSync(partial, 0o755);
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(partial, target);
  } catch (error) {
    // Another process was faster: what it built is the same.
    rmSync(partial, { recursive: true });
    if (!existsSync(stamp)) throw error;
  }
}

/** @param {string} node @param {string} output @param {readonly string[]} flags */
async function compile(node, output, flags, entry = 'index.ts') {
  const asc = join(modules, 'assemblyscript/bin/asc.js');
  await run(node, [asc, join(sources, entry), '-o', output, ...COMMON, ...flags]);
}

/** @param {string} node @param {readonly string[]} argv */
async function run(node, argv) {
  const child = spawn(node, argv, { stdio: ['ignore', 2, 2] });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  process.stderr.write(`spikegrid: the WASM kernels do not compile; the messages stand above\n`);
  process.exit(1);
}

/**
 * The same module on a shared memory. Compiled for one, not another byte would differ, and the
 * compiler takes 7 s of processor time.
 * @param {Buffer} own
 */
function shareMemory(own) {
  const found = OWN_MEMORY.find((one) => own.includes(one));
  if (!found) throw new Error('the WASM kernels import something else than a memory of one page');
  const at = own.indexOf(found);
  return Buffer.concat([own.subarray(0, at), SHARED_MEMORY, own.subarray(at + found.length)]);
}

/** Of the compiler's version, this file, the emitters and every source. */
function digestOf() {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(modules, 'assemblyscript/package.json')));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of [emitter, shrinker, argumentsWriter, ...tables])
    hash.update(readFileSync(file));
  for (const folder of [sources, ...WRITTEN.map((path) => join(root, path))]) {
    for (const file of readdirSync(folder).toSorted()) {
      // The build writes it, from the rows.
      if (file === 'generated') continue;
      hash.update(file).update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest('hex');
}

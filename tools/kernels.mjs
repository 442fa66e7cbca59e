// Builds the kernels of the WASM backend from AssemblyScript when their sources have changed. Plain
// JavaScript, as tools/run.mjs imports it before any other Node than the system's may be there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'engine/backends/wasm/assembly');
const target = join(root, 'engine/backends/wasm/build');
const modules = join(root, 'node_modules');

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
const RELAXED = ['--enable', 'relaxed-simd'];
/** The most that 32 bits address, in pages; a program takes what it needs. */
const SHARED = [
  '--enable',
  'threads',
  '--sharedMemory',
  '--initialMemory',
  '2',
  '--maximumMemory',
  '65536',
];

const BUILDS = {
  'relaxed-shared': [...RELAXED, ...SHARED],
  'relaxed-own': RELAXED,
  'plain-shared': SHARED,
  'plain-own': [],
};

/**
 * Builds what is missing or out of date; the folder appears by one rename.
 * @param {string} node the Node to run the compiler with
 */
export async function buildKernels(node) {
  const digest = digestOf();
  const stamp = join(target, 'digest');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  process.stderr.write('spikegrid: building the WASM kernels …\n');
  mkdirSync(join(target, '..'), { recursive: true });
  const partial = mkdtempSync(`${target}-`);
  await Promise.all(
    Object.entries(BUILDS).map(([name, flags]) =>
      compile(node, join(partial, `${name}.wasm`), flags),
    ),
  );
  writeFileSync(join(partial, 'digest'), digest);
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
async function compile(node, output, flags) {
  const asc = join(modules, 'assemblyscript/bin/asc.js');
  const argv = [asc, join(sources, 'index.ts'), '-o', output, ...COMMON, ...flags];
  const child = spawn(node, argv, { stdio: ['ignore', 2, 2] });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  process.stderr.write(`spikegrid: the WASM kernels do not compile; the messages stand above\n`);
  process.exit(1);
}

/** Of the compiler's version, this file and every source. */
function digestOf() {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(modules, 'assemblyscript/package.json')));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of readdirSync(sources).toSorted()) {
    hash.update(file).update(readFileSync(join(sources, file)));
  }
  return hash.digest('hex');
}

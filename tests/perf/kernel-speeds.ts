import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type * as Wasm from '../../engine/backends/wasm/wasm-backend.ts';
import type * as WebGpu from '../../engine/backends/webgpu/webgpu-backend.ts';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import type * as Graphs from '../../engine/graph/graph.ts';
import type { Kernel } from '../../engine/graph/kernel.ts';
import type * as Parameters from '../../engine/graph/parameters.ts';
import type { Program } from '../../engine/graph/program.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import type * as Kernels from '../../engine/kernels/kernels.ts';
import '../engine/dawn.ts';
import type * as Cases from '../engine/kernel-cases/kernel-cases.ts';
import type { OperandData } from '../engine/play.ts';
import { median, note } from './report.ts';

/**
 * Times of the kernels that are written in the kernel language, all their cases in one program, beside those
 * of another checkout: groups of runs take turns, so that what else the machine does slows both.
 *
 *   npm run bench -- --only kernels                   the times of this checkout
 *   npm run bench -- --only kernels --before DIR      those of another one, too: its WASM kernels are built
 *   node tests/perf/kernel-speeds.ts --kernels a,b --on wasm1
 */
const { values: given } = parseArgs({
  options: {
    before: { type: 'string' },
    kernels: { type: 'string' },
    on: { type: 'string', default: 'wasm1,wasm2,webgpu' },
  },
});

/** A program is made larger until it takes as long: less would be the time of the call. */
const MIN_MS = 0.3;
const SIZES = [256, 1024, 4096, 16_384] as const;
const GROUPS = 9;
const GROUP_MS = 12;
const QUEUE_MS = 15;
const MAX_PLAYS = 64;

/** The modules of a checkout that the measurement needs. */
async function openTree(root: URL) {
  const load = <M>(path: string): Promise<M> => import(new URL(path, root).href);
  const wasm = await load<typeof Wasm>('engine/backends/wasm/wasm-backend.ts');
  const webgpu = await load<typeof WebGpu>('engine/backends/webgpu/webgpu-backend.ts');
  const { Graph } = await load<typeof Graphs>('engine/graph/graph.ts');
  const { layOutParameters } = await load<typeof Parameters>('engine/graph/parameters.ts');
  const { kernels } = await load<typeof Kernels>('engine/kernels/kernels.ts');
  const cases = await load<typeof Cases>('tests/engine/kernel-cases/kernel-cases.ts');
  const backends: Readonly<Record<string, () => Promise<Backend>>> = {
    wasm1: () => wasm.openWasmBackend({ threads: 1 }),
    wasm2: () => wasm.openWasmBackend({ threads: 2, sharedFrom: 0 }),
    webgpu: () => webgpu.openWebGpuBackend({ gpu: navigator.gpu }),
  };
  return { backends, Graph, layOutParameters, kernels, ...cases };
}
type Tree = Awaited<ReturnType<typeof openTree>>;
type KernelName = Tree['kernelNames'][number];

/** A program of a kernel's cases, ready to be played. */
interface Loaded {
  readonly player: Player;
  readonly program: Program;
  /** Operands that a run changes hold what they began with. */
  prepare(): void;
}

async function loadCases(
  tree: Tree,
  backend: Backend,
  name: KernelName,
  size: number,
): Promise<Loaded> {
  const layout = tree.layOutParameters([]);
  const graph = new tree.Graph(name, layout);
  const inputs: (readonly [Tensor, Float32Array | Uint32Array, string | undefined])[] = [];
  for (const [index, { operands, attributes }] of tree.casesOf(name, size).entries()) {
    const row: Kernel = tree.kernels[name];
    const operandData: Readonly<Record<string, OperandData>> = operands;
    const tensors = Object.entries(operandData).map(([operand, { dtype, shape, data }]) => {
      const tensor = graph.local(`${operand} ${index}`, dtype, shape);
      inputs.push([tensor, data, row.operands[operand]]);
      return [operand, tensor] as const;
    });
    graph.call(row, Object.fromEntries(tensors), attributes);
  }
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  for (const [tensor, data] of inputs) player.write(tensor, data);
  const changed = inputs.filter(([, , role]) => role === 'update');
  return {
    player,
    program,
    prepare: () => changed.forEach(([tensor, data]) => player.write(tensor, data)),
  };
}

/** Milliseconds of a run, of as many one after the other as `plays`; what comes before them is through. */
async function timeOnce(
  { player, program, prepare }: Loaded,
  isQueued: boolean,
  plays = 1,
): Promise<number> {
  prepare();
  if (isQueued) await player.settled();
  const start = performance.now();
  for (let play = 0; play < plays; play++) player.play(program);
  if (isQueued) await player.settled();
  return (performance.now() - start) / plays;
}

/** A queue is looked at every millisecond: a run of less is one of several. */
async function timeGroup(loaded: Loaded, isQueued: boolean): Promise<number> {
  const times: number[] = [];
  const plays = isQueued
    ? Math.min(MAX_PLAYS, Math.ceil(QUEUE_MS / (await timeOnce(loaded, true, 4))))
    : 1;
  for (const started = performance.now(); performance.now() - started < GROUP_MS;) {
    times.push(await timeOnce(loaded, isQueued, plays));
  }
  return median(times);
}

/** The least size of those above at which the program takes long enough. */
async function sizeFor(tree: Tree, backend: Backend, name: KernelName): Promise<number> {
  for (const size of SIZES.slice(0, -1)) {
    const loaded = await loadCases(tree, backend, name, size);
    await timeGroup(loaded, false);
    const ms = await timeGroup(loaded, false);
    loaded.player.close();
    if (ms >= MIN_MS) return size;
  }
  return SIZES.at(-1) ?? 0;
}

const here = await openTree(new URL('../../', import.meta.url));
const before =
  given.before === undefined ? undefined : await openTree(pathToFileURL(`${given.before}/`));
const trees = before ? [before, here] : [here];
const asked = given.kernels?.split(',');
const names = here.kernelNames.filter(
  (name) =>
    (asked ? asked.includes(name) : 'write' in here.kernels[name]) &&
    // Some are younger than the other checkout.
    trees.every(({ kernelNames }) => kernelNames.includes(name)),
);
const small = await here.backends['wasm1']?.();
const sizes = new Map<KernelName, number>();
if (small) for (const name of names) sizes.set(name, await sizeFor(here, small, name));

for (const on of given.on.split(',')) {
  const backends = await Promise.all(trees.map(async ({ backends: open }) => open[on]?.()));
  for (const name of names) await measure(on, backends, name);
  for (const backend of backends) backend?.close();
}
process.exit(0);

/** The quickest group of each tree; they take turns. */
async function bestOf(loaded: readonly Loaded[], isQueued: boolean): Promise<number[]> {
  const best = loaded.map(() => Number.POSITIVE_INFINITY);
  for (let group = 0; group < GROUPS; group++) {
    for (const [index, one] of loaded.entries()) {
      const ms = await timeGroup(one, isQueued);
      // In the first two, compilers replace what runs often.
      if (group > 1) best[index] = Math.min(best[index] ?? ms, ms);
    }
  }
  return best;
}

async function measure(
  on: string,
  backends: readonly (Backend | undefined)[],
  name: KernelName,
): Promise<void> {
  const loaded: Loaded[] = [];
  for (const [index, tree] of trees.entries()) {
    const backend = backends[index];
    if (backend) loaded.push(await loadCases(tree, backend, name, sizes.get(name) ?? 0));
  }
  const [value = Number.NaN, then] = (await bestOf(loaded, on === 'webgpu')).toReversed();
  for (const { player } of loaded) player.close();
  const line = { name: `${name} on ${on}`, value, unit: 'ms', target: (then ?? value) / 0.95 };
  console.log(JSON.stringify({ ...line, met: value <= line.target }));
  if (then !== undefined)
    note(`${name} on ${on}: ${(then / value).toFixed(2)} of its speed before`);
}

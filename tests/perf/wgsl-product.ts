import { kernels } from '../../engine/kernels/kernels.ts';
import { openNodeGpu } from '../../compute/gpu/node-gpu.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { randomSource } from '../engine/random.ts';
import { startPeers } from './peers.ts';
import { report } from './report.ts';
import { type Contestant, playRounds } from './rounds.ts';
import { isWanted } from './wanted.ts';

/** Bar 9: a product of two square matrices in WGSL, already on the device, without reading it back. */
const SIZE = 512;
const OPERATIONS = 2 * SIZE ** 3;

if (isWanted(9)) {
  const ours = await openProduct();
  const peers = await startPeers([
    { name: 'jax-js webgpu', program: 'jax-product', args: [String(SIZE)] },
    { name: 'tfjs webgpu', program: 'tfjs-product', args: [String(SIZE)] },
  ]);
  const times = await playRounds(ours, peers, { rounds: 7, turns: 3, slowMs: 10_000 });
  const speeds = Object.entries(times).map(([name, ms]) => [name, OPERATIONS / ms / 1e6] as const);
  const { [ours.name]: value = Number.NaN, ...others } = Object.fromEntries(speeds);
  report({
    bar: 9,
    name: `WGSL product ${SIZE}^3 on the software adapter`,
    value,
    unit: 'GFLOPS',
    target: 5,
    better: 'higher',
    peers: others,
  });
  for (const peer of peers) peer.close();
}
// Dawn would keep the process.
process.exit(0);

/** Our product, warm. */
async function openProduct(): Promise<Contestant> {
  const backend = await openWebGpuBackend({ gpu: await openNodeGpu() });
  const layout = layOutParameters([]);
  const graph = new Graph('product', layout);
  const input = graph.local('input', 'f32', [SIZE, SIZE]);
  const weight = graph.local('weight', 'f32', [SIZE, SIZE]);
  const output = graph.scratch('output', 'f32', [SIZE, SIZE]);
  const attributes = { rows: SIZE, columns: SIZE, depth: SIZE, residualRows: 1 };
  graph.call(kernels.linear_forward, { input, weight, output }, attributes);
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  const from = randomSource(1);
  player.write(input, from.floats(SIZE ** 2));
  player.write(weight, from.floats(SIZE ** 2));
  const work = async () => {
    const start = performance.now();
    player.play(program);
    await player.settled();
    return { ms: performance.now() - start };
  };
  await work();
  return { name: 'ours', work };
}

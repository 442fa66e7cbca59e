import { kernels } from '../../engine/kernels/kernels.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { type Tensor, wordsPerRow } from '../../engine/graph/tensor.ts';
import { stdp, type StdpRule } from '../../engine/plasticity/stdp.ts';
import { pairRule, tripletRule } from '../../engine/plasticity/stdp-rules.ts';
import { type CompressedRows, constantIndex } from '../../engine/plasticity/synapses.ts';
import { keyOf, philox, uniformFrom } from '../../engine/random/philox.ts';
import { note } from './report.ts';
import { timeOf } from './timing.ts';

/**
 * The cost of STDP for 400,000 synapses: between all of 632 and 632 neurons, and between every tenth pair of
 * 2000 and 2000, all of them at 10 Hz in steps of 1 ms. Nanoseconds for each change of a weight; there are two for each pair of a synapse
 * and a spike on one of its sides. Run by hand: `node tests/perf/plasticity.ts`.
 */
const ALL = 632;
const SOME = 2000;
const STEPS = 200;
const SHARE = 0.1;
const PROBABILITY = 0.01;
const layout = layOutParameters([]);

const uniform = (index: number, stream: number) =>
  uniformFrom(philox([index >>> 2, stream, 0, 0], keyOf(1))[index & 3] ?? 0);

const sparse = drawRows(SOME);
for (const threads of [1, 2]) {
  await measure('pairs, dense', { rule: pairRule, threads, neurons: ALL });
  await measure('pairs, sparse', { rule: pairRule, threads, neurons: SOME, rows: sparse });
  await measure('triplets, sparse', { rule: tripletRule, threads, neurons: SOME, rows: sparse });
}

interface Setting {
  readonly rule: StdpRule;
  readonly threads: number;
  readonly neurons: number;
  readonly rows?: CompressedRows;
}

async function measure(name: string, { rule, threads, neurons, rows }: Setting): Promise<void> {
  const graph = new Graph('stdp', layout);
  const clock = graph.local('clock', 'u32', [4]);
  const rasters: Tensor[] = [];
  const select = (side: string) => {
    const source = graph.local(`raster of ${side}`, 'bits', [STEPS, 1, neurons]);
    const target = graph.scratch(`spikes of ${side}`, 'bits', [1, 1, neurons]);
    const count = wordsPerRow(neurons);
    graph.call(kernels.select_step, { source, clock, target }, { count, steps: STEPS });
    rasters.push(source);
    return target;
  };
  const spikes = { pre: select('sources'), post: select('targets') };
  const synapses = rows ? rows.target.length : neurons ** 2;
  const weight = graph.local('weight', 'f32', rows ? [synapses] : [neurons, neurons]);
  const index = rows && constantIndex(graph, 'synapses', rows, neurons);
  const site = {
    name: 'stdp',
    synapses: { pre: neurons, post: neurons, weight, ...(index && { index }) },
    spikes,
    dt: 1,
  };
  stdp(graph, site, { rule, bounds: { low: 0, high: 1 }, boundary: 'soft' });
  graph.call(kernels.advance_clock, { clock }, {});
  const program = graph.build();
  const backend = await openWasmBackend({ threads });
  const player = await backend.load(layout, [program]);
  for (const [stream, raster] of rasters.entries())
    player.write(raster, drawRaster(neurons, stream));
  player.write(weight, new Float32Array(synapses).fill(0.5));
  const { median, best } = timeOf(() => player.play(program, STEPS));
  const changes = 2 * synapses * PROBABILITY * STEPS;
  const perChange = (ms: number) => (1e6 * ms) / changes;
  const label = `STDP on WASM, ${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}: ns a change`;
  console.log(JSON.stringify({ name: label, median: perChange(median), best: perChange(best) }));
  note(`${name}: ${(median / STEPS).toFixed(3)} ms a step, ${synapses} synapses`);
  player.close();
  backend.close();
}

function drawRaster(neurons: number, stream: number): Uint32Array {
  const words = wordsPerRow(neurons);
  const raster = new Uint32Array(STEPS * words);
  for (let i = 0; i < STEPS * neurons; i++) {
    if (uniform(i, stream) >= PROBABILITY) continue;
    const [t, n] = [Math.floor(i / neurons), i % neurons];
    const word = t * words + (n >>> 5);
    raster[word] = (raster[word] ?? 0) | (1 << (n & 31));
  }
  return raster;
}

function drawRows(neurons: number): CompressedRows {
  const rowStart = new Uint32Array(neurons + 1);
  const target: number[] = [];
  for (let i = 0; i < neurons; i++) {
    for (let j = 0; j < neurons; j++) {
      if (uniform(i * neurons + j, 9) < SHARE) target.push(j);
    }
    rowStart[i + 1] = target.length;
  }
  return { rowStart, target: Uint32Array.from(target) };
}

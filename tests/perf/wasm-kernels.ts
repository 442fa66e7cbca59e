import { kernels } from '../../engine/kernels/kernels.ts';
import { operandsOf } from '../../engine/graph/kernel.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { randomSource } from '../engine/random.ts';
import { type Measured, note, report } from './report.ts';
import { type Timing, timeOf } from './timing.ts';
import { isWanted } from './wanted.ts';

/**
 * Bars 1 to 3: single kernels on two threads, as a program plays them; what a dense product would
 * have to compute counts as the operations of one fed by spikes.
 */
const THREADS = 2;
const DENSITY = 0.1;

/** Traces what is measured and says what its inputs hold. */
type Trace = (graph: Graph) => readonly (readonly [Tensor, Float32Array | Uint32Array])[];

const from = randomSource(1);

if (isWanted(1)) {
  const [rows, depth, columns] = [2048, 128, 512];
  const timing = await timeProgram((graph) => {
    const input = graph.local('input', 'f32', [rows, depth]);
    const weight = graph.local('weight', 'f32', [depth, columns]);
    const output = graph.scratch('output', 'f32', [rows, columns]);
    const attributes = { rows, columns, depth, residualRows: 1 };
    graph.call(kernels.linear_forward, { input, weight, output }, attributes);
    return [
      [input, from.floats(rows * depth)],
      [weight, from.floats(depth * columns)],
    ];
  });
  const name = 'dense product 2048x128x512';
  reportSpeed({ bar: 1, name, target: 95 }, 2 * rows * depth * columns, timing);
}

if (isWanted(2)) {
  const [rows, depth, columns] = [2048, 512, 512];
  const timing = await timeProgram((graph) => {
    const spikes = graph.local('spikes', 'bits', [rows, depth]);
    const weight = graph.local('weight', 'f32', [depth, columns]);
    const output = graph.scratch('output', 'f32', [rows, columns]);
    const attributes = { rows, columns, depth, residualRows: 1, accumulate: false };
    graph.call(kernels.spike_linear_forward, { spikes, weight, output }, attributes);
    return [
      [spikes, from.spikes(rows, depth, DENSITY)],
      [weight, from.floats(depth * columns)],
    ];
  });
  const name = 'spike-fed linear 2048x512x512 at a density of 10 %';
  reportSpeed({ bar: 2, name, target: 650 }, 2 * rows * depth * columns, timing);
}

if (isWanted(3)) {
  const neuron = { steps: 16, rows: 1024, width: 128, currentSteps: 16, beta: 0.95, threshold: 1 };
  const shape = [neuron.steps, neuron.rows, neuron.width];
  const count = neuron.steps * neuron.rows * neuron.width;
  const timing = await timeProgram((graph) => {
    const current = graph.local('current', 'f32', shape);
    const gradient = graph.local('gradient', 'f32', shape);
    const spikes = graph.scratch('spikes', 'bits', shape);
    graph.call(kernels.lif_forward, { current, spikes }, neuron);
    graph.call(kernels.lif_backward, { current, gradient }, { ...neuron, surrogate: 'atan' });
    return [
      [current, from.floats(count, -0.7, 0.9)],
      [gradient, from.floats(count)],
    ];
  });
  report({
    bar: 3,
    name: `LIF forward and backward, T 16, ${neuron.rows * neuron.width} neurons, WASM, ${THREADS} threads`,
    value: timing.median,
    unit: 'ms',
    target: 0.9,
    better: 'lower',
  });
  note(`bar 3: best group of runs ${timing.best.toFixed(3)} ms`);
}

/** Inputs that a run changes are written anew before each. */
async function timeProgram(trace: Trace): Promise<Timing> {
  const layout = layOutParameters([]);
  const graph = new Graph('measured', layout);
  const inputs = trace(graph);
  const program = graph.build();
  const backend = await openWasmBackend({ threads: THREADS });
  const player = await backend.load(layout, [program]);
  for (const [tensor, data] of inputs) player.write(tensor, data);
  const operands = program.calls.flatMap(operandsOf);
  const changed = inputs.filter(([input]) =>
    operands.some(({ tensor, role }) => tensor === input && role === 'update'),
  );
  const timing = timeOf(
    () => player.play(program),
    () => changed.forEach(([tensor, data]) => player.write(tensor, data)),
  );
  player.close();
  backend.close();
  return timing;
}

function reportSpeed(
  { bar, name, target }: Pick<Measured, 'bar' | 'name' | 'target'>,
  operations: number,
  { median, best }: Timing,
): void {
  const gigaflops = (ms: number) => operations / ms / 1e6;
  report({
    bar,
    name: `${name}, WASM, ${THREADS} threads`,
    value: gigaflops(median),
    unit: 'GFLOPS',
    target,
    better: 'higher',
  });
  note(`bar ${bar}: best group of runs ${gigaflops(best).toFixed(1)} GFLOPS`);
}

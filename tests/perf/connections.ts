import { kernels } from '../../engine/kernels/kernels.ts';
import type { Convolution } from '../../engine/kernels/convolution.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { windowOver } from '../../engine/ops/window.ts';
import { randomSource } from '../engine/random.ts';
import { note } from './report.ts';
import { timeOf } from './timing.ts';

/*
 * Convolutions and recurrence on WASM beside a dense product of the same size, on one thread: run by hand
 * with `node tests/perf/connections.ts`. What a dense product would compute counts as the operations of all.
 */
const IMAGES = 32;
const image = { channels: 32, height: 28, width: 28 };
const convolution: Convolution = {
  ...{ images: IMAGES, spikes: false, ...image, outputs: 64, groups: 1 },
  ...windowOver('measured', image, 3, { padding: 1 }),
};
const features = image.channels * image.height * image.width;
const results = convolution.outputs * convolution.outHeight * convolution.outWidth;
const depth = image.channels * 9;
const operations = 2 * IMAGES * results * depth;
const chunk = 4;
const from = randomSource(1);

type Inputs = readonly (readonly [Tensor, Float32Array | Uint32Array])[];

async function measure(name: string, count: number, trace: (graph: Graph) => Inputs) {
  const layout = layOutParameters([]);
  const graph = new Graph('measured', layout);
  const inputs = trace(graph);
  const program = graph.build();
  const backend = await openWasmBackend({ threads: 1 });
  const player = await backend.load(layout, [program]);
  for (const [tensor, data] of inputs) player.write(tensor, data);
  const { median, best } = timeOf(() => player.play(program));
  player.close();
  backend.close();
  const speed = (ms: number) => (count / ms / 1e6).toFixed(1);
  note(
    `${name}: ${speed(best)} GFLOPS at best, ${speed(median)} in the middle, ${best.toFixed(2)} ms`,
  );
}

await measure('dense product of the same size', operations, (graph) => {
  const rows = IMAGES * convolution.outHeight * convolution.outWidth;
  const columns = convolution.outputs;
  const input = graph.local('input', 'f32', [rows, depth]);
  const weight = graph.local('weight', 'f32', [depth, columns]);
  const output = graph.scratch('output', 'f32', [rows, columns]);
  graph.call(
    kernels.linear_forward,
    { input, weight, output },
    { rows, columns, depth, residualRows: 1 },
  );
  return [
    [input, from.floats(rows * depth)],
    [weight, from.floats(depth * columns)],
  ];
});

for (const spikes of [false, true]) {
  const what = spikes ? 'spikes' : 'numbers';
  const attributes = { ...convolution, spikes };
  const inputOf = (graph: Graph): Inputs[number] => [
    graph.local('input', spikes ? 'bits' : 'f32', [1, IMAGES, features]),
    spikes ? from.spikes(IMAGES, features, 0.1) : from.floats(IMAGES * features),
  ];
  await measure(`conv2d_forward of ${what}`, operations, (graph) => {
    const given = inputOf(graph);
    const weight = graph.local('weight', 'f32', [convolution.outputs, image.channels, 3, 3]);
    const output = graph.scratch('output', 'f32', [1, IMAGES, results]);
    graph.call(kernels.conv2d_forward, { input: given[0], weight, output }, attributes);
    return [given, [weight, from.floats(convolution.outputs * depth)]];
  });
  await measure(`conv2d_backward_weight of ${what}`, operations, (graph) => {
    const given = inputOf(graph);
    const gradient = graph.local('gradient', 'f32', [1, IMAGES, results]);
    const lines = IMAGES / chunk;
    const partial = graph.scratch('partial', 'f32', [lines, convolution.outputs * depth]);
    const operands = { input: given[0], gradient, partial };
    graph.call(kernels.conv2d_backward_weight, operands, { ...attributes, chunk });
    return [given, [gradient, from.floats(IMAGES * results)]];
  });
}
await measure('conv2d_backward_input', operations, (graph) => {
  const gradient = graph.local('gradient', 'f32', [1, IMAGES, results]);
  const weight = graph.local('weight', 'f32', [convolution.outputs, image.channels, 3, 3]);
  const inputGradient = graph.scratch('input gradient', 'f32', [1, IMAGES, features]);
  const operands = { gradient, weight, inputGradient };
  // Scratch that is updated has to be written before.
  graph.call(kernels.fill, { target: inputGradient }, { count: IMAGES * features, value: 0 });
  graph.call(kernels.conv2d_backward_input, operands, { ...convolution, accumulate: false });
  return [
    [gradient, from.floats(IMAGES * results)],
    [weight, from.floats(convolution.outputs * depth)],
  ];
});

const layer = { steps: 25, rows: 64, width: 512, beta: 0.9, threshold: 1 };
const sums = 2 * layer.steps * layer.rows * layer.width ** 2;
const shape = [layer.steps, layer.rows, layer.width];
await measure('recurrent_lif_forward', sums, (graph) => {
  const current = graph.local('current', 'f32', shape);
  const weight = graph.local('weight', 'f32', [layer.width, layer.width]);
  const spikes = graph.scratch('spikes', 'bits', shape);
  const membrane = graph.scratch('membrane', 'f32', shape);
  const attributes = { ...layer, currentSteps: layer.steps };
  graph.call(kernels.recurrent_lif_forward, { current, weight, spikes, membrane }, attributes);
  return [
    [current, from.floats(layer.steps * layer.rows * layer.width, -0.5, 0.8)],
    [weight, from.floats(layer.width ** 2, -0.05, 0.05)],
  ];
});
await measure('recurrent_lif_backward', sums, (graph) => {
  const membrane = graph.local('membrane', 'f32', shape);
  const weight = graph.local('weight', 'f32', [layer.width, layer.width]);
  const gradient = graph.local('gradient', 'f32', shape);
  const attributes = { ...layer, surrogate: 'atan' } as const;
  graph.call(kernels.recurrent_lif_backward, { membrane, weight, gradient }, attributes);
  return [
    [membrane, from.floats(layer.steps * layer.rows * layer.width, -1, 3)],
    [weight, from.floats(layer.width ** 2, -0.01, 0.01)],
  ];
});

import { kernels } from '../../engine/kernels/kernels.ts';
import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { type Tensor, wordCount } from '../../engine/graph/tensor.ts';
import { lif, type LifOptions } from '../../engine/ops/lif.ts';
import { linear, spikeLinear } from '../../engine/ops/linear.ts';
import { layerNorm } from '../../engine/ops/norm.ts';
import { spikeValues } from '../../engine/ops/time-readouts.ts';
import { worstGradientError } from './gradient-check.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

/*
 * Kernels work in place on gradients that were given to them. Where a tensor is read more than once,
 * its gradient has to be the sum of what each reader alone would give: that holds only if nobody
 * changes a gradient that somebody else still reads.
 */
const [STEPS, ROWS, WIDTH] = [4, 3, 5];
/** Sums in float64, in another order. */
const EXACT = 1e-12;
/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;
const neuron: LifOptions = { steps: STEPS, beta: 0.8, threshold: 0.5, surrogate: 'atan' };

/** `first + second`; its rule hands one gradient to both. */
function sum(graph: Graph, first: Tensor, second: Tensor): Tensor {
  const output = graph.scratch('sum', 'f32', first.shape);
  const count = wordCount(first);
  graph.call(kernels.copy, { source: first, target: output }, { count });
  graph.call(kernels.add, { addend: second, target: output }, { count });
  graph.differentiable({
    inputs: [first, second],
    output,
    backward(gradient, gradients) {
      gradients.give(first, gradient);
      gradients.give(second, gradient);
    },
  });
  return output;
}

/** Traces what becomes of a current with two weights at hand. */
type Trace = (graph: Graph, current: Tensor, weights: readonly [Tensor, Tensor]) => Tensor;

const initial = { kind: 'constant', value: 0 } as const;

/** The gradient of a current, computed by a linear before it, when that of what `trace` makes is given. */
async function gradientOfCurrent(trace: Trace): Promise<Float64Array> {
  const weight = { shape: [WIDTH, WIDTH], initial, decayed: true };
  const layout = layOutParameters([
    { name: 'input', shape: [STEPS, ROWS, WIDTH], initial, decayed: false },
    { name: 'first', ...weight },
    { name: 'second', ...weight },
  ]);
  const graph = new Graph('readers', layout);
  const identity = graph.constant(
    'identity',
    [WIDTH, WIDTH],
    Float32Array.from({ length: WIDTH ** 2 }, (_, i) => Number(i % (WIDTH + 1) === 0)),
  );
  const current = linear(graph, graph.parameter('input'), identity);
  const output = trace(graph, current, [graph.parameter('first'), graph.parameter('second')]);
  const seed = graph.local('seed', 'f32', output.shape);
  differentiate(graph, output, seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const from = randomSource(3);
  for (const { value } of layout.parameters) player.write(value, from.floats(wordCount(value)));
  player.write(seed, from.floats(wordCount(seed)));
  player.play(program);
  return player.values(layout.get('input').gradient).slice();
}

/** The largest difference between a gradient and the sum of others. */
function errorOf(actual: Float64Array, parts: readonly Float64Array[]): number {
  const errors = actual.map((value, i) =>
    Math.abs(value - parts.reduce((total, part) => total + part[i]!, 0)),
  );
  return Math.max(...errors);
}

describe('the gradient of a current', () => {
  it('is not overwritten where the current goes past its neurons as a residual', async () => {
    const through: Trace = (graph, current, [weight]) =>
      spikeLinear(graph, lif(graph, current, neuron), weight);
    const past: Trace = (_graph, current) => current;

    const both = await gradientOfCurrent((graph, current, [weight]) =>
      spikeLinear(graph, lif(graph, current, neuron), weight, { residual: current }),
    );

    const parts = [await gradientOfCurrent(through), await gradientOfCurrent(past)];
    expect(errorOf(both, parts)).toBeLessThan(EXACT);
  });

  it('is the sum over two layers of neurons that it drives', async () => {
    const slow = { ...neuron, beta: 0.95 };
    const drive =
      (options: LifOptions, index: 0 | 1): Trace =>
      (graph, current, weights) =>
        spikeLinear(graph, lif(graph, current, options), weights[index]);

    const both = await gradientOfCurrent((graph, current, weights) =>
      sum(
        graph,
        drive(neuron, 0)(graph, current, weights),
        drive(slow, 1)(graph, current, weights),
      ),
    );

    const parts = [
      await gradientOfCurrent(drive(neuron, 0)),
      await gradientOfCurrent(drive(slow, 1)),
    ];
    expect(errorOf(both, parts)).toBeLessThan(EXACT);
  });

  it('has the gradients of all that its spikes feed', async () => {
    const feed =
      (indices: readonly (0 | 1)[]): Trace =>
      (graph, current, weights) => {
        const spikes = lif(graph, current, neuron);
        const outputs = indices.map((index) => spikeLinear(graph, spikes, weights[index]));
        return outputs.reduce((first, second) => sum(graph, first, second));
      };

    const both = await gradientOfCurrent(feed([0, 1]));

    const parts = [await gradientOfCurrent(feed([0])), await gradientOfCurrent(feed([1]))];
    expect(errorOf(both, parts)).toBeLessThan(EXACT);
  });

  it('has the gradients of all that read its spikes as numbers', async () => {
    const read =
      (indices: readonly (0 | 1)[]): Trace =>
      (graph, current, weights) => {
        const spikes = lif(graph, current, neuron);
        const outputs = indices.map((index) =>
          linear(graph, spikeValues(graph, spikes), weights[index]),
        );
        return outputs.reduce((first, second) => sum(graph, first, second));
      };

    const both = await gradientOfCurrent(read([0, 1]));

    const parts = [await gradientOfCurrent(read([0])), await gradientOfCurrent(read([1]))];
    expect(errorOf(both, parts)).toBeLessThan(EXACT);
  });
});

describe('a gradient that is given on', () => {
  const square = { first: [WIDTH, WIDTH], second: [WIDTH, WIDTH] };
  const norm = { gain: [WIDTH], offset: [WIDTH] };

  it('is copied where one rule gives it to two tensors', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 3, WIDTH], ...square, ...norm },
      trace(graph, { input, first, second, gain, offset }) {
        const a = linear(graph, input, first);
        const b = linear(graph, input, second);
        // The gradient of `a` goes on growing after the sum has given it to both.
        const normalised = layerNorm(graph, a, gain, offset);
        return linear(graph, normalised, first, { residual: sum(graph, a, b) });
      },
    });

    expect(error).toBeLessThan(CLOSE);
  });

  it('goes through a chain of residuals without a copy', async () => {
    let graphOfChain: Graph | undefined;

    const error = await worstGradientError({
      inputs: { input: [2, 3, WIDTH], ...square, ...norm },
      trace(graph, { input, first, second, gain, offset }) {
        graphOfChain = graph;
        const part = (stream: Tensor, weight: Tensor) =>
          linear(graph, layerNorm(graph, stream, gain, offset), weight, { residual: stream });
        return part(part(linear(graph, input, first), second), first);
      },
    });

    expect(error).toBeLessThan(CLOSE);
    const copies = graphOfChain!.build().calls.filter(({ kernel }) => kernel.name === 'copy');
    // The one of the check itself.
    expect(copies.map(({ operands }) => operands)).toMatchObject([
      { target: { name: 'kept output' } },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { conv2d, conv2dImage, type Conv2dOptions } from '../../engine/ops/conv2d.ts';
import { keep } from '../../engine/ops/keep.ts';
import { linear } from '../../engine/ops/linear.ts';
import { averagePool2d, sumPool2d } from '../../engine/ops/pool2d.ts';
import { windowOver } from '../../engine/ops/window.ts';
import { worstGradientError } from './gradient-check.ts';
import { bits, numbers } from './kernel-cases/operands.ts';
import { noParameters, reference, runKernels } from './play.ts';
import { randomSource } from './random.ts';

/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;

/** Evaluates a traced op of constants on the reference. */
async function valueOf(trace: (graph: Graph) => Tensor): Promise<number[]> {
  const graph = new Graph('value', noParameters);
  const kept = keep(graph, 'kept', trace(graph));
  const program = graph.build();
  const player = await reference.load(noParameters, [program]);
  player.play(program);
  return [...player.values(kept)];
}

const image = (graph: Graph, values: readonly number[], name = 'image') =>
  graph.constant(name, [1, 1, values.length], Float32Array.from(values));

describe('a convolution', () => {
  // torch.nn.functional.conv2d(arange(9).view(1, 1, 3, 3), [[1, 2], [3, 4]]) and the same with padding 1, stride 2.
  const nine = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  it.each([
    [{}, [27, 37, 57, 67]],
    [{ padding: 1, stride: 2 }, [0, 11, 30, 67]],
    [{ dilation: 2 }, [54]],
  ] as const)(
    'of a numbered image with %o has the sums that the definition gives',
    async (window, expected) => {
      const values = await valueOf((graph) => {
        const weight = graph.constant('weight', [1, 1, 2, 2], Float32Array.of(1, 2, 3, 4));
        const options = { image: { channels: 1, height: 3, width: 3 }, ...window };
        return conv2d(graph, image(graph, nine), weight, options);
      });

      expect(values).toEqual(expected);
    },
  );

  it('with padding "same" keeps the size, with what is odd behind', async () => {
    const weight = { shape: [1, 1, 2, 2] };
    const options = { image: { channels: 1, height: 2, width: 2 }, padding: 'same' } as const;
    const values = await valueOf((graph) =>
      conv2d(
        graph,
        image(graph, [1, 2, 3, 4]),
        graph.constant('weight', weight.shape, Float32Array.of(1, 10, 100, 1000)),
        options,
      ),
    );

    expect(conv2dImage(weight, options)).toEqual(options.image);
    expect(values).toEqual([1 + 20 + 300 + 4000, 2 + 400, 3 + 40, 4]);
  });

  it('in as many groups as channels filters each channel by itself', async () => {
    const from = randomSource(1);
    const [channels, plane] = [3, 20];
    const data = from.floats(channels * plane);
    const weights = from.floats(channels * 9);
    const options = { padding: 1, image: { channels, height: 4, width: 5 } };
    const together = await valueOf((graph) =>
      conv2d(graph, image(graph, [...data]), graph.constant('weight', [3, 1, 3, 3], weights), {
        ...options,
        groups: 3,
      }),
    );

    const alone = await Promise.all(
      [0, 1, 2].map((c) =>
        valueOf((graph) =>
          conv2d(
            graph,
            image(graph, [...data.subarray(c * plane, (c + 1) * plane)]),
            graph.constant('weight', [1, 1, 3, 3], weights.slice(9 * c, 9 * c + 9)),
            { ...options, image: { ...options.image, channels: 1 } },
          ),
        ),
      ),
    );
    expect(together).toEqual(alone.flat());
  });

  const geometries: Record<string, Omit<Conv2dOptions, 'image'> & { weight: number[] }> = {
    'the plain window': { weight: [3, 4, 2, 3] },
    'stride, padding and dilation': {
      weight: [2, 4, 3, 2],
      stride: [2, 1],
      padding: 2,
      dilation: [1, 2],
    },
    'two groups': { weight: [6, 2, 3, 3], groups: 2, padding: 'same' },
  };
  it.each(Object.entries(geometries))(
    'has the gradients that differences give into input, weight and bias, with %s',
    async (_name, { weight: shape, ...options }) => {
      const error = await worstGradientError({
        inputs: { input: [2, 2, 4 * 4 * 5], weight: shape, bias: [shape[0]!] },
        trace: (graph, { input, weight, bias }) =>
          conv2d(graph, input, weight, {
            ...options,
            bias,
            image: { channels: 4, height: 4, width: 5 },
          }),
      });

      expect(error).toBeLessThan(CLOSE);
    },
  );

  it('adds its gradient to what an input has from elsewhere', async () => {
    const error = await worstGradientError({
      inputs: { input: [1, 2, 12], weight: [1, 1, 3, 3] },
      trace: (graph, { input, weight }) => {
        const options = { image: { channels: 1, height: 3, width: 4 }, padding: 1 };
        const identity = Float32Array.from({ length: 144 }, (_, i) => Number(i % 13 === 0));
        const weights = graph.constant('identity', [12, 12], identity);
        return linear(graph, conv2d(graph, input, weight, options), weights, { residual: input });
      },
    });

    expect(error).toBeLessThan(CLOSE);
  });

  it.each([
    [{ channels: 3, height: 4, width: 4 }, {}, /rows have 32 features, expected 3 x 4 x 4/],
    [
      { channels: 2, height: 4, width: 4 },
      { groups: 2 },
      /in 2 groups takes a weight \[outputs, 1/,
    ],
    [{ channels: 2, height: 4, width: 4 }, { stride: 0 }, /stride is 0: expected a whole number/],
    [{ channels: 2, height: 4, width: 4 }, { dilation: 5 }, /reaches over 11 does not fit into 4/],
    [
      { channels: 2, height: 4, width: 4 },
      { padding: 'same', stride: 2 },
      /stride of 2: expected a stride of 1/,
    ],
    [{ channels: 2, height: 4, width: 4 }, { padding: -1 }, /padding is -1/],
  ] as const)('of an image %o refuses %o', (over, options, message) => {
    const graph = new Graph('refused', noParameters);
    const input = graph.local('input', 'f32', [1, 1, 32]);
    const weight = graph.local('weight', 'f32', [4, over.channels, 3, 3]);

    expect(() => conv2d(graph, input, weight, { image: over, ...options })).toThrow(message);
  });
});

describe('convolutions on WASM', () => {
  const over = { channels: 5, height: 9, width: 11 };
  const geometry = {
    ...{ images: 12, ...over, outputs: 37, groups: 1 },
    ...windowOver('threads', over, 3, { padding: 1 }),
  };
  const from = randomSource(6);
  // Numbers, few spikes, and so many that they are convolved like numbers.
  const inputs = [
    numbers([12, 5 * 99], from),
    bits([12, 5 * 99], from, 0.1),
    bits([12, 5 * 99], from, 0.7),
  ];
  const weight = numbers([37, 5, 3, 3], from);
  const gradient = numbers([12, 37 * 99], from);
  const output = numbers([12, 37 * 99], from);
  const partial = numbers([4, 37, 5, 3, 3], from);

  it('give the same bits on any number of threads', async () => {
    const results = [];
    for (const threads of [1, 2]) {
      const backend = await openWasmBackend({ threads, sharedFrom: 0 });
      const forward = inputs.map((input) => ({
        kernel: 'conv2d_forward' as const,
        operands: { input, weight, output },
        attributes: { ...geometry, spikes: input.dtype === 'bits' },
      }));
      const backward = inputs.map((input) => ({
        kernel: 'conv2d_backward_weight' as const,
        operands: { input, gradient, partial },
        attributes: { ...geometry, chunk: 3, spikes: input.dtype === 'bits' },
      }));
      results.push([await runKernels(backend, forward), await runKernels(backend, backward)]);
      backend.close();
    }

    expect(results[1]).toEqual(results[0]);
  });
});

describe('pooling', () => {
  const window = { image: { channels: 1, height: 2, width: 4 }, kernel: 2 };
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];

  it('takes the mean or the sum of each window', async () => {
    expect(await valueOf((graph) => averagePool2d(graph, image(graph, eight), window))).toEqual([
      3.5, 5.5,
    ]);
    expect(await valueOf((graph) => sumPool2d(graph, image(graph, eight), window))).toEqual([
      14, 22,
    ]);
  });

  it('counts the spikes of each window', async () => {
    const graph = new Graph('count', noParameters);
    const spikes = graph.local('spikes', 'bits', [1, 1, 8]);
    const kept = keep(graph, 'kept', sumPool2d(graph, spikes, window));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(spikes, Uint32Array.of(0b1011_0011));
    player.play(program);

    expect([...player.values(kept)]).toEqual([4, 1]);
  });

  it.each([{ kernel: 2, stride: 1, padding: 1 }, { kernel: [1, 3] as const }])(
    'has the gradients that differences give, with %o',
    async (options) => {
      const error = await worstGradientError({
        inputs: { input: [1, 2, 2 * 3 * 6] },
        trace: (graph, { input }) =>
          averagePool2d(graph, input, { image: { channels: 2, height: 3, width: 6 }, ...options }),
      });

      expect(error).toBeLessThan(CLOSE);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { conv1d, type Conv1dOptions, imageOptions } from '../../engine/ops/conv1d.ts';
import { conv2dImage } from '../../engine/ops/conv2d.ts';
import { lif } from '../../engine/ops/lif.ts';
import { globalAveragePool, globalMaxPool, maxPool2d } from '../../engine/ops/pool2d.ts';
import { windowOver } from '../../engine/ops/window.ts';
import { playedOp, type TracedOp } from './compare-backends.ts';
import { worstGradientError } from './gradient-check.ts';
import { noParameters, reference, variants } from './play.ts';
import './matchers.ts';

/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;

const image = { channels: 2, height: 5, width: 7 };
const FEATURES = 2 * 5 * 7;
const windows = [
  { kernel: 2 },
  { kernel: 3, stride: 2, padding: 1 },
  { kernel: [1, 3], stride: 1, padding: 'same' },
  { kernel: [5, 2], stride: [1, 3] },
] as const;

const poolOf = (i: number, spikes = false): TracedOp => ({
  inputs: { input: [2, 3, FEATURES] },
  trace(graph, { input }) {
    const neurons = { steps: 2, beta: 0.5, threshold: 0.25, surrogate: 'atan' } as const;
    const source = spikes ? lif(graph, input!, neurons) : input!;
    return maxPool2d(graph, source, { image, ...windows[i]! });
  },
});

describe('max pooling', () => {
  it.each([...windows.entries()])('has the maxima of each window, %#', async (i, window) => {
    const { inputs } = poolOf(i);
    let source: Tensor | undefined;
    const [[, pooled]] = (await playedOp(reference, poolOf(i))) as [
      readonly [string, Float32Array],
    ];
    const [[, values]] = (await playedOp(reference, {
      inputs,
      trace: (_graph, { input }) => (source = input!),
    })) as [readonly [string, Float32Array]];

    expect(source?.shape).toEqual([2, 3, FEATURES]);
    expect(pooled).toMatchNumbers(maxima(values, window), 1e-7);
  });

  it.each([...windows.keys()])('has the gradients that differences give, %#', async (i) => {
    const { trace } = poolOf(i);
    const error = await worstGradientError({ inputs: { input: [1, 1, FEATURES] }, trace });
    expect(error).toBeLessThan(CLOSE);
  });

  it('over the whole image leaves one number for each channel', async () => {
    for (const pool of [globalMaxPool, globalAveragePool]) {
      const error = await worstGradientError({
        inputs: { input: [1, 1, FEATURES] },
        trace(graph, { input }) {
          const output = pool(graph, input, image);
          expect(output.shape).toEqual([1, 1, 2]);
          return output;
        },
      });
      expect(error).toBeLessThan(CLOSE);
    }
  });

  it('refuses padding that a window could lie in', () => {
    const graph = new Graph('refused', noParameters);
    const input = graph.local('input', 'f32', [1, 1, FEATURES]);
    expect(() => maxPool2d(graph, input, { image, kernel: 2, padding: 2 })).toThrow(
      /padding is 2 x 2: expected at most half of the kernel, 2 x 2/,
    );
  });
});

/** The definition: every tap of every window, image by image. */
function maxima(values: Float32Array, options: (typeof windows)[number]): number[] {
  const { kernel, ...rest } = { stride: options.kernel, ...options };
  const window = windowOver('maxima', image, kernel, rest);
  const upTo = (count: number) => [...Array.from({ length: count }).keys()];
  const along = (at: number, taps: number, length: number) =>
    upTo(taps)
      .map((tap) => at + tap)
      .filter((place) => place >= 0 && place < length);
  return upTo(values.length / 35).flatMap((plane) =>
    upTo(window.outHeight).flatMap((oy) =>
      upTo(window.outWidth).map((ox) => {
        const ys = along(oy * window.strideY - window.paddingY, window.kernelHeight, 5);
        const xs = along(ox * window.strideX - window.paddingX, window.kernelWidth, 7);
        return Math.max(...ys.flatMap((y) => xs.map((x) => values[plane * 35 + y * 7 + x]!)));
      }),
    ),
  );
}

const signals: Omit<Conv1dOptions, 'signal'>[] = [
  {},
  { stride: 2, padding: 1, dilation: 2 },
  { groups: 4, padding: 'same' },
];
const signal = { channels: 4, length: 13 };

describe('a convolution of signals', () => {
  it.each(signals)('has the gradients that differences give, with %o', async (options) => {
    const weight = [8, 4 / (options.groups ?? 1), 1, 3];
    const all = { signal, ...options };
    const error = await worstGradientError({
      inputs: { input: [2, 2, 52], weight, bias: [8] },
      trace(graph, { input, weight: kernel, bias }) {
        const output = conv1d(graph, input, kernel, { ...all, bias });
        const { channels, height, width } = conv2dImage({ shape: weight }, imageOptions(all));
        expect(height).toBe(1);
        expect(output.shape).toEqual([2, 2, channels * width]);
        return output;
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('refuses a weight with more than a row', () => {
    const graph = new Graph('refused', noParameters);
    const input = graph.local('input', 'f32', [1, 1, 52]);
    const weight = graph.local('weight', 'f32', [8, 4, 3, 3]);
    expect(() => conv1d(graph, input, weight, { signal })).toThrow(
      /expected a weight \[outputs, channels \/ groups, 1, kernel\], got weight f32\[8, 4, 3, 3\]/,
    );
  });
});

const ops: [string, TracedOp][] = [
  ...[...windows.keys()].map((i): [string, TracedOp] => [`max pooling ${i}`, poolOf(i)]),
  ['max pooling of spikes', poolOf(1, true)],
  ...signals.map((options, i): [string, TracedOp] => [
    `the convolution of signals ${i}`,
    {
      inputs: { input: [2, 2, 52], weight: [8, 4 / (options.groups ?? 1), 1, 3] },
      trace: (graph, { input, weight }) => conv1d(graph, input!, weight!, { signal, ...options }),
    },
  ]),
];

describe.each(Object.entries(variants as Record<string, () => Promise<Backend>>))(
  '%s',
  (_variant, open) => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.close());

    it.each(ops)('agrees with the reference on %s', async (_name, op) => {
      const [expected, actual] = await Promise.all([
        playedOp(reference, op),
        playedOp(backend, op),
      ]);
      for (const [i, [name, values]] of actual.entries()) {
        expect(values, name).toMatchNumbers(expected[i]![1], 2e-5);
      }
    });
  },
);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { NirPrimitive } from '../../engine/nir/graph.ts';
import { backends, chain, drawn, playNir } from './nir-graphs.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

/** Planes of numbers, row-major; zero outside of each. */
interface Planes {
  readonly size: readonly [height: number, width: number];
  readonly data: ArrayLike<number>;
}

function at({ size: [height, width], data }: Planes, plane: number, y: number, x: number): number {
  const isInside = y >= 0 && x >= 0 && y < height && x < width;
  return isInside ? data[(plane * height + y) * width + x]! : 0;
}

/** Makes planes from a rule for each place. */
function planes(
  count: number,
  size: readonly [number, number],
  rule: (plane: number, y: number, x: number) => number,
): Planes {
  const [height, width] = size;
  const data = Float64Array.from({ length: count * height * width }, (_, i) =>
    rule(Math.floor(i / (height * width)), Math.floor(i / width) % height, i % width),
  );
  return { size, data };
}

function sum(count: number, term: (i: number) => number): number {
  return Array.from({ length: count }, (_, i) => term(i)).reduce((a, b) => a + b, 0);
}

const conv2d: NirPrimitive<'Conv2d'> = {
  type: 'Conv2d',
  weight: drawn([4, 1, 3, 2], 11),
  stride: [2, 1],
  padding: [1, 1],
  dilation: [1, 2],
  groups: 2,
  bias: drawn([4], 12),
};
const conv1d: NirPrimitive<'Conv1d'> = {
  type: 'Conv1d',
  input_shape: 5,
  weight: drawn([3, 2, 4], 14),
  stride: 1,
  padding: 'same',
  dilation: 1,
  groups: 1,
  bias: drawn([3], 15),
};

describe.each(Object.keys(backends) as (keyof typeof backends)[])('on %s', (name) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[name]();
  });
  afterAll(() => backend.close());

  it('convolutions and pools are what PyTorch calls by these names', async () => {
    const nodes = {
      conv: conv2d,
      sum: { type: 'SumPool2d', kernel_size: [2, 2], stride: [1, 2], padding: [1, 0] },
      mean: { type: 'AvgPool2d', kernel_size: [2, 1], stride: [2, 1], padding: [0, 0] },
      flat: { type: 'Flatten', start_dim: 0, end_dim: -1 },
    } as const;
    const steps = 2;
    const input: Planes & { data: Float32Array } = {
      size: [7, 6],
      data: randomSource(13).floats(steps * 2 * 7 * 6),
    };

    const signals = await playNir(
      backend,
      chain([2, 7, 6], nodes, [4 * 2 * 3]),
      { input: input.data },
      { steps, record: ['conv', 'sum'] },
    );

    const { weight, bias } = conv2d;
    const convolved = planes(steps * 4, [4, 6], (plane, y, x) => {
      const channel = plane % 4;
      const source = Math.floor(plane / 4) * 2 + Math.floor(channel / 2);
      return (
        bias.data[channel]! +
        sum(3, (i) =>
          sum(2, (j) => {
            const tap = weight.data[(channel * 3 + i) * 2 + j]!;
            return tap * at(input, source, 2 * y - 1 + i, x - 1 + 2 * j);
          }),
        )
      );
    });
    const summed = planes(steps * 4, [5, 3], (plane, y, x) =>
      sum(2, (i) => sum(2, (j) => at(convolved, plane, y - 1 + i, 2 * x + j))),
    );
    const means = planes(steps * 4, [2, 3], (plane, y, x) =>
      sum(2, (i) => at(summed, plane, 2 * y + i, x) / 2),
    );
    expect(signals['conv']).toMatchNumbers(convolved.data, 1e-5);
    expect(signals['sum']).toMatchNumbers(summed.data, 1e-5);
    expect(signals['output']).toMatchNumbers(means.data, 1e-5);
  });

  it('one axis is convolved as two are, and "same" keeps its length', async () => {
    const input: Planes & { data: Float32Array } = {
      size: [1, 5],
      data: randomSource(16).floats(2 * 5),
    };

    const { output } = await playNir(
      backend,
      chain([2, 5], { conv: conv1d }, [3, 5]),
      { input: input.data },
      { steps: 1 },
    );

    const { weight, bias } = conv1d;
    const expected = planes(3, [1, 5], (channel, _, x) => {
      const taps = (d: number) =>
        sum(4, (k) => weight.data[(channel * 2 + d) * 4 + k]! * at(input, d, 0, x - 1 + k));
      return bias.data[channel]! + sum(2, taps);
    });
    expect(output).toMatchNumbers(expected.data, 1e-5);
  });
});

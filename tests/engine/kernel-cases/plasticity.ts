import { columnsOf } from '../../../engine/simulator/synapses.ts';
import type { Source } from '../random.ts';
import {
  bits,
  both,
  type CaseMakers,
  clock,
  emptyBits,
  f32,
  numbers,
  rowShapes,
  u32,
} from './operands.ts';

const bounds = { low: -0.5, high: 0.75 };

/** Dense and sparse projections, with and without a slow trace, hard and soft bounds. */
export const plasticityCases = {
  spike_trace: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      both.map((saturates) => ({
        name: `${rows} rows of ${width}, ${saturates ? 'nearest' : 'all'}`,
        kernel: 'spike_trace',
        operands: { spikes: bits([rows, width], from), trace: numbers([rows, width], from) },
        attributes: { rows, width, decay: 0.9, increment: 0.25, saturates },
      })),
    ),
  stdp_depress: (size, from) =>
    stdpCases(size, from).map(({ name, sizes, index, slow, spikes, rule, weight }) => ({
      name,
      kernel: 'stdp_depress',
      operands: {
        spikes: spikes(sizes.pre),
        trace: numbers([sizes.post], from, 0, 2),
        ...(slow && { slow: numbers([sizes.pre], from, 0, 2) }),
        ...(index && { rowStart: index.rowStart, target: index.target }),
        weight,
      },
      attributes: { ...sizes, ...rule },
    })),
  stdp_potentiate: (size, from) =>
    stdpCases(size, from).map(({ name, sizes, index, slow, spikes, rule, weight }) => ({
      name,
      kernel: 'stdp_potentiate',
      operands: {
        spikes: spikes(sizes.post),
        trace: numbers([sizes.pre], from, 0, 2),
        ...(slow && { slow: numbers([sizes.post], from, 0, 2) }),
        ...(index && {
          columnStart: index.columnStart,
          synapseOf: index.synapseOf,
          source: index.source,
        }),
        weight,
      },
      attributes: { ...sizes, ...rule },
    })),
  reward_update: (count, from) => [
    {
      name: 'more than expected',
      kernel: 'reward_update',
      operands: {
        reward: f32([2], Float32Array.of(0.75, 0.25)),
        eligibility: numbers([count], from),
        weight: numbers([count], from),
      },
      attributes: { count, decay: 0.9, rate: 0.5, ...bounds },
    },
  ],
  bcm_update: (size, from) =>
    projections(size, from).map(({ name, sizes, index, weight }) => ({
      name,
      kernel: 'bcm_update',
      operands: {
        spikes: bits([1, 1, sizes.pre], from),
        activity: numbers([sizes.post], from, 0, 2),
        threshold: numbers([sizes.post], from, 0, 2),
        ...(index && { rowStart: index.rowStart, target: index.target }),
        weight,
      },
      attributes: { ...sizes, rate: 0.1, ...bounds },
    })),
  bcm_threshold: (count, from) => [
    {
      name: 'slides',
      kernel: 'bcm_threshold',
      operands: { activity: numbers([count], from, 0, 3), threshold: numbers([count], from, 0, 3) },
      attributes: { count, setpoint: 1.5, rate: 0.01 },
    },
  ],
  synaptic_scaling: (size, from) =>
    projections(size, from).map(({ name, sizes: { post }, index, count, weight }, i) => ({
      name,
      kernel: 'synaptic_scaling',
      operands: {
        // The last step is no multiple of the interval: nothing changes.
        clock: clock(i === 3 ? 7 : 6, 0, 1),
        rate: numbers([post], from, 0, 2),
        ...(index && { target: index.target }),
        weight,
      },
      attributes: { count, post, gain: 0.2, setpoint: 1, interval: 3, ...bounds },
    })),
  incoming_normalise: (size, from) =>
    projections(size, from).map(({ name, sizes, index, count, shape }) => ({
      name,
      kernel: 'incoming_normalise',
      operands: {
        ...(index && { columnStart: index.columnStart, synapseOf: index.synapseOf }),
        weight: f32(shape, from.floats(count, 0.1, 1)),
      },
      attributes: { ...sizes, total: 3 },
    })),
  competing_lif: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'competing_lif',
      operands: {
        // Halves and eighths: sums are exact, so that some neurons lie on their threshold itself.
        current: eighths([rows, width], from),
        offset: eighths([width], from),
        membrane: eighths([rows, width], from),
        refractory: u32([rows, width], from.integers(rows * width, 3)),
        spikes: emptyBits([rows, width]),
      },
      attributes: { rows, width, decay: 0.5, threshold: 0.25, reset: -0.5, refractorySteps: 4 },
    })),
  lateral_inhibition: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'lateral_inhibition',
      operands: { spikes: bits([rows, width], from), membrane: numbers([rows, width], from) },
      attributes: { rows, width, strength: 0.5 },
    })),
  select_step: (count, from) => [
    {
      name: 'the fifth of three',
      kernel: 'select_step',
      operands: {
        source: numbers([3, count], from),
        clock: clock(4, 0, 1),
        target: numbers([count], from),
      },
      attributes: { count, steps: 3 },
    },
  ],
} satisfies Partial<CaseMakers>;

function eighths(shape: number[], from: Source) {
  const count = shape.reduce((a, b) => a * b, 1);
  return f32(
    shape,
    from.floats(count, -8, 8).map((value) => Math.round(value) / 8),
  );
}

function projections(size: number, from: Source) {
  return [
    { pre: size, post: 7 },
    { pre: 5, post: size },
  ].flatMap((sizes) =>
    both.map((isSparse) => {
      const index = isSparse ? sparseIndex(sizes, from) : undefined;
      const count = index ? index.target.data.length : sizes.pre * sizes.post;
      const shape = index ? [count] : [sizes.pre, sizes.post];
      return {
        name: `${sizes.pre} to ${sizes.post}, ${isSparse ? 'sparse' : 'dense'}`,
        sizes,
        index,
        count,
        shape,
        weight: f32(shape, from.floats(count, bounds.low, bounds.high)),
      };
    }),
  );
}

/** About half of all synapses, no two alike, and at least one. */
function sparseIndex({ pre, post }: { pre: number; post: number }, from: Source) {
  const rowStart = new Uint32Array(pre + 1);
  const target: number[] = [];
  for (let i = 0; i < pre; i++) {
    for (let j = 0; j < post; j++) {
      if (i + j === 0 || from.uniform(0, 1) < 0.5) target.push(j);
    }
    rowStart[i + 1] = target.length;
  }
  const rows = { rowStart, target: Uint32Array.from(target) };
  const columns = columnsOf(rows, post);
  const place = (data: Uint32Array) => u32([data.length], data);
  return {
    rowStart: place(rows.rowStart),
    target: place(rows.target),
    columnStart: place(columns.columnStart),
    synapseOf: place(columns.synapseOf),
    source: place(columns.source),
  };
}

/** Pairs and triplets, each of dense and of sparse synapses. */
function stdpCases(size: number, from: Source) {
  return projections(size, from).map((projection, i) => {
    const isTriplet = i === 1 || i === 2;
    return {
      ...projection,
      name: `${projection.name}, ${isTriplet ? 'triplets, soft' : 'pairs, hard'}`,
      slow: isTriplet,
      spikes: (neurons: number) => bits([1, 1, neurons], from),
      rule: {
        pair: 0.1,
        triplet: isTriplet ? 0.2 : 0,
        slowDecay: isTriplet ? 0.9 : 0,
        soft: isTriplet,
        ...bounds,
      },
    };
  });
}

import { byteWords } from '../../../engine/graph/tensor.ts';
import type { Source } from '../random.ts';
import { bits, both, type CaseMakers, clock, f32, numbers, slotWords, u32 } from './operands.ts';

/** Experts of every case that has several. */
const EXPERTS = 3;

/** The experts of `active * rows` events; no token goes to one twice. */
export function routed(active: number, rows: number, from: Source, experts = EXPERTS) {
  const first = from.integers(rows, experts);
  const words = Uint32Array.from({ length: active * rows }, (_, event) => {
    const row = event % rows;
    // Every seventh token goes to none.
    return row % 7 === 6 ? experts : (first[row]! + Math.floor(event / rows)) % experts;
  });
  return u32([active, rows], words);
}

/** Many tokens of few neurons, and few tokens of many. */
export function layers(size: number) {
  return [
    { rows: size, width: 5, fanIn: 2, active: 1, experts: EXPERTS },
    { rows: 3, width: size, fanIn: Math.min(size, 3), active: 2, experts: EXPERTS },
    { rows: 2, width: Math.min(size, 300), fanIn: Math.min(size, 300), active: 1, experts: 1 },
  ];
}

export const nameOf = ({ rows, width, active }: { rows: number; width: number; active: number }) =>
  `${rows} tokens of ${width} to ${active}`;

const eventCases = {
  event_mix_forward: (size, from) =>
    layers(size).map(({ rows, active, width }) => ({
      name: nameOf({ rows, active, width }),
      kernel: 'event_mix_forward',
      operands: {
        stream: numbers([1, rows, width], from),
        spikes: bits([active, rows, width], from),
        gates: numbers([active, rows], from),
        output: numbers([1, rows, width], from),
        ...(active === 2 && { mask: bits([active, rows, width], from, 0.8) }),
      },
      attributes: { rows, active, width, factor: 1.25 },
    })),
  event_mix_backward: (size, from) =>
    layers(size).map(({ rows, active, width }) => ({
      name: nameOf({ rows, active, width }),
      kernel: 'event_mix_backward',
      operands: {
        gradient: numbers([1, rows, width], from),
        spikes: bits([active, rows, width], from),
        gates: numbers([active, rows], from),
        spikeGradient: numbers([active, rows, width], from),
        gateGradient: numbers([active, rows], from),
        ...(active === 2 && { mask: bits([active, rows, width], from, 0.8) }),
      },
      attributes: { rows, active, width, factor: 1.25 },
    })),
  route_forward: (size, from) =>
    routes(size).map((route) => {
      const { rows, active, experts, sequence } = route;
      const sequences = rows / sequence;
      return {
        name: nameOf({ rows, width: experts, active }),
        kernel: 'route_forward',
        operands: {
          scores: numbers([1, rows, experts], from),
          slots: slotWords({ rows: sequences, slots: sequences + 2 }, from),
          state: numbers([sequences + 2, experts + 1], from, 1, 2),
          means: numbers([rows, experts + 1], from),
          experts: routed(active, rows, from, experts),
          gates: numbers([active, rows], from),
          ...(active === 2 && { mask: u32([rows], from.integers(rows, 3)) }),
        },
        attributes: { ...route, memory: 20, slotCount: sequences + 2 },
      };
    }),
  running_mean_forward: (size, from) =>
    means(size).map((mean) => ({
      name: `${mean.rows} tokens of ${mean.width}`,
      kernel: 'running_mean_forward',
      operands: {
        input: numbers([1, mean.rows, mean.width], from),
        slots: slotWords({ rows: mean.rows / mean.sequence, slots: mean.slotCount }, from),
        state: numbers([mean.slotCount, mean.width + 1], from, 1, 2),
        mask: u32([mean.rows], from.integers(mean.rows, 3)),
        output: numbers([1, mean.rows, mean.width], from),
        rates: numbers([mean.rows], from),
      },
      attributes: mean,
    })),
  running_mean_backward: (size, from) =>
    means(size).map((mean) => ({
      name: `${mean.rows} tokens of ${mean.width}`,
      kernel: 'running_mean_backward',
      operands: {
        gradient: numbers([1, mean.rows, mean.width], from),
        rates: numbers([mean.rows], from, 0, 1),
        inputGradient: numbers([1, mean.rows, mean.width], from),
      },
      attributes: mean,
    })),
  expert_load: (rows, from) => [
    {
      name: `${rows} tokens`,
      kernel: 'expert_load',
      operands: { experts: routed(2, rows, from), load: numbers([EXPERTS], from) },
      attributes: { rows, active: 2, experts: EXPERTS },
    },
  ],
  route_backward: (size, from) =>
    routes(size).map((route) => {
      const { rows, active, experts } = route;
      return {
        name: nameOf({ rows, width: experts, active }),
        kernel: 'route_backward',
        operands: {
          means: ratedMeans(rows, experts, from),
          experts: routed(active, rows, from, experts),
          load: numbers([experts], from, 0, 1),
          gateGradient: numbers([active, rows], from),
          scoreGradient: numbers([1, rows, experts], from),
        },
        attributes: { ...route, balance: 0.5 },
      };
    }),
  expert_mask_forward: (size, from) =>
    masks(size).map((mask) => ({
      name: nameOf({ ...mask, width: mask.rank }),
      kernel: 'expert_mask_forward',
      operands: {
        input: numbers([1, mask.rows, mask.experts * mask.rank], from),
        experts: routed(mask.active, mask.rows, from),
        output: numbers([mask.active, mask.rows, mask.experts * mask.rank], from),
      },
      attributes: mask,
    })),
  expert_mask_backward: (size, from) =>
    masks(size).flatMap((mask) =>
      both.map((accumulate) => ({
        name: `${nameOf({ ...mask, width: mask.rank })}, accumulate ${accumulate}`,
        kernel: 'expert_mask_backward',
        operands: {
          gradient: numbers([mask.active, mask.rows, mask.experts * mask.rank], from),
          experts: routed(mask.active, mask.rows, from),
          inputGradient: numbers([1, mask.rows, mask.experts * mask.rank], from),
        },
        attributes: { ...mask, accumulate },
      })),
    ),
} satisfies Partial<CaseMakers>;

/** Means, and the rate of each token behind them: 0 of those that go to none. */
function ratedMeans(rows: number, experts: number, from: Source) {
  const values = from.floats(rows * (experts + 1), 0, 1);
  for (let row = 6; row < rows; row += 7) values[row * (experts + 1) + experts] = 0;
  return f32([rows, experts + 1], values);
}

function routes(size: number) {
  return [
    { rows: size, sequence: size, active: 1, experts: EXPERTS },
    { rows: size, sequence: 1, active: 2, experts: EXPERTS },
    { rows: 4, sequence: 2, active: Math.min(size, 2), experts: Math.min(size, 70) },
  ];
}

function means(size: number) {
  return [
    { rows: size, width: 5, sequence: size, slotCount: 2 },
    { rows: 4, width: size, sequence: 2, slotCount: 3 },
  ];
}

function masks(size: number) {
  return [
    { rows: size, rank: 3, active: 2, experts: EXPERTS },
    { rows: 2, rank: size, active: 1, experts: EXPERTS },
  ];
}

const candidateCases = {
  codebook_rows: (size, from) =>
    [
      { rows: size, rank: 5 },
      { rows: 3, rank: size },
    ].map(({ rows, rank }) => {
      const words = from.integers(7 * byteWords(rank), 2 ** 32);
      return {
        name: `${rows} codes of ${rank}`,
        kernel: 'codebook_rows',
        operands: {
          // An id beyond the vocabulary reads its last code.
          ids: u32([rows], from.integers(rows, 9)),
          codebook: u32([7, byteWords(rank)], words),
          output: numbers([1, rows, rank], from),
        },
        attributes: { rows, rank, vocabulary: 7, scale: 0.25 },
      };
    }),
  draw_candidates: (count, from) => [
    {
      name: `${count} of a million`,
      kernel: 'draw_candidates',
      operands: { clock: clock(3, 0, 99), ids: u32([count], from.integers(count, 5)) },
      attributes: { count, vocabulary: 1_000_003, stream: 4 },
    },
  ],
  candidate_join_forward: (size, from) =>
    joins(size).map((join) => ({
      name: `${join.rows} rows, ${join.drawn} candidates of ${join.rank}`,
      kernel: 'candidate_join_forward',
      operands: {
        scores: numbers([1, join.rows, join.drawn], from),
        query: numbers([1, join.rows, join.rank], from),
        codes: numbers([1, join.rows, join.rank], from),
        targets: u32([join.rows], from.integers(join.rows, 5)),
        candidates: u32([join.drawn], from.integers(join.drawn, 5)),
        logits: numbers([1, join.rows, join.drawn + 1], from),
      },
      attributes: { ...join, correction: 0.75 },
    })),
  candidate_join_backward: (size, from) =>
    joins(size).flatMap((join) =>
      both.map((accumulate) => ({
        name: `${join.rows} rows, ${join.drawn} candidates of ${join.rank}, ${accumulate}`,
        kernel: 'candidate_join_backward',
        operands: {
          gradient: numbers([1, join.rows, join.drawn + 1], from),
          codes: numbers([1, join.rows, join.rank], from),
          scoreGradient: numbers([1, join.rows, join.drawn], from),
          queryGradient: numbers([1, join.rows, join.rank], from),
        },
        attributes: { ...join, accumulate },
      })),
    ),
} satisfies Partial<CaseMakers>;

function joins(size: number) {
  return [
    { rows: size, drawn: 3, rank: 5 },
    { rows: 2, drawn: size, rank: 6 },
    { rows: 2, drawn: 4, rank: size },
  ];
}

export const routingCases = { ...eventCases, ...candidateCases };

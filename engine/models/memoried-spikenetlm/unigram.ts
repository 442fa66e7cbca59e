import {
  backboneOf,
  MODALITIES,
  type Modality,
  type PackedStream,
  rangeOf,
  type StreamedStructure,
} from './structure.ts';

/** What a model must beat before one says that it learns: token frequencies alone, add-one smoothed, in nats a token. */
export interface UnigramFloor {
  /** Of all tokens, by their frequency among all. */
  readonly mixed: number;
  /** Of those of a modality, by their frequency in it: told which modality comes. NaN where there are none. */
  readonly of: Readonly<Record<Modality, number>>;
}

/** Frequencies counted in some streams, asked for others; the first token of a stream is never predicted. */
export function unigramFloor(
  structure: StreamedStructure,
  { counted, asked }: Record<'counted' | 'asked', readonly PackedStream[]>,
): UnigramFloor {
  const counts = new Float64Array(backboneOf(structure).vocabulary).fill(1);
  for (const { ids } of counted) {
    for (const id of ids.subarray(1)) counts[id] = (counts[id] ?? 0) + 1;
  }
  const costOf = (start: number, end: number) => {
    const total = counts.subarray(start, end).reduce((sum, count) => sum + count, 0);
    let [nats, tokens] = [0, 0];
    for (const { ids } of asked) {
      for (const id of ids.subarray(1)) {
        if (id < start || id >= end) continue;
        nats += Math.log(total / (counts[id] ?? 0));
        tokens += 1;
      }
    }
    return nats / tokens;
  };
  const of = MODALITIES.map((modality) => {
    const { start, end } = rangeOf(structure, modality);
    return [modality, costOf(start, end)] as const;
  });
  return {
    mixed: costOf(0, counts.length),
    of: Object.fromEntries(of) as Record<Modality, number>,
  };
}

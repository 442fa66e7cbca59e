import type { Player } from '../../graph/backend.ts';
import { argmax } from '../../numbers.ts';
import { packClock } from '../../ops/step-inputs.ts';
import type { MemoriedEvaluateProgram, StreamTargets } from './programs.ts';
import type { LabelledStream, StreamBatch, StreamGatherer } from './streams.ts';
import {
  backboneOf,
  MODALITIES,
  type Modality,
  type PackedStream,
  rangeOf,
  type StreamedStructure,
} from './structure.ts';

/** A model under evaluation and all its streams. */
export interface AskedModel {
  readonly structure: StreamedStructure;
  readonly evaluate: MemoriedEvaluateProgram;
  readonly gatherer: StreamGatherer;
  readonly streams: readonly LabelledStream[];
  /** Streams of a batch. */
  readonly batch: number;
}

/** Cost of streams in nats, and that of token frequencies in the training data: see `unigramFloor`. */
export interface StreamCosts {
  readonly tokens: number;
  readonly loss: number;
  readonly unigram: number;
  /** Of the modalities that there are. */
  readonly parts: readonly {
    readonly modality: Modality;
    readonly tokens: number;
    readonly loss: number;
    readonly unigram: number;
  }[];
  /** Fraction of streams whose class was known at their end, and of those of the class commonest in training. */
  readonly classAccuracy: number;
  readonly classMajority: number;
}

/** Adds up what a model knows of streams, batch by batch. */
export interface StreamAnswers {
  /** Streams by their places, at most as many as a batch has. */
  ask(player: Player, places: readonly number[]): Promise<void>;
  /** Of all that were asked; NaN where there were none. */
  costs(learned: readonly number[]): StreamCosts;
}

/** Writes a batch into the inputs of a program, all but the classes. */
export function writeStreams(player: Player, inputs: StreamTargets, batch: StreamBatch): void {
  player.write(inputs.ids, batch.ids);
  player.write(inputs.modalities, batch.modalities);
  player.write(inputs.mask, batch.mask);
  player.write(inputs.targets, batch.targets);
  player.write(inputs.weights, batch.weights);
}

export function createStreamAnswers(model: AskedModel): StreamAnswers {
  const { structure, evaluate, gatherer, streams, batch } = model;
  const ends = MODALITIES.map((modality) => rangeOf(structure, modality).end);
  const [nats, tokens] = [new Float64Array(ends.length), new Float64Array(ends.length)];
  const asked: LabelledStream[] = [];
  let right = 0;
  return {
    async ask(player, places) {
      const gathered = gatherer.gather(places);
      writeStreams(player, evaluate, gathered);
      player.write(evaluate.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
      player.play(evaluate.program);
      const losses = await player.read(evaluate.tokenLosses);
      for (const [row, target] of gathered.targets.entries()) {
        if (gathered.mask[row] === 0) continue;
        const modality = ends.findIndex((end) => target < end);
        nats[modality] = (nats[modality] ?? 0) + (losses[row] ?? Number.NaN);
        tokens[modality] = (tokens[modality] ?? 0) + 1;
      }
      const scores = await player.read(evaluate.pooled);
      const sequence = gathered.ids.length / batch;
      for (const [row, place] of places.entries()) {
        const stream = streams[place];
        if (!stream) continue;
        asked.push(stream);
        // The last token read depends on all others.
        const last = row * sequence + stream.ids.length - 2;
        const ofLast = scores.subarray(last * structure.classes, (last + 1) * structure.classes);
        if (argmax(ofLast) === stream.label) right += 1;
      }
    },
    costs(learned) {
      const counted = learned.flatMap((place) => streams[place] ?? []);
      const common = commonestOf(counted);
      const all = totalOf(tokens);
      const unigrams = unigramFloor(structure, { counted, asked });
      return {
        tokens: all,
        loss: totalOf(nats) / all,
        unigram: unigrams.mixed,
        parts: MODALITIES.flatMap((modality, i) => {
          const count = tokens[i] ?? 0;
          if (count === 0) return [];
          const loss = (nats[i] ?? 0) / count;
          return [{ modality, tokens: count, loss, unigram: unigrams.of[modality] }];
        }),
        classAccuracy: right / asked.length,
        classMajority: asked.filter(({ label }) => label === common).length / asked.length,
      };
    },
  };
}

function commonestOf(streams: readonly LabelledStream[]): number {
  const counts: number[] = [];
  for (const { label } of streams) counts[label] = (counts[label] ?? 0) + 1;
  return argmax(Array.from(counts, (count = 0) => count));
}

function totalOf(numbers: Float64Array): number {
  return numbers.reduce((a, b) => a + b, 0);
}

/** Baseline that a model has to beat: token frequencies alone, add-one smoothed, in nats a token. */
interface UnigramFloor {
  /** Of all tokens, by their frequency among all. */
  readonly mixed: number;
  /** Of those of a modality, by their frequency in it, given the modality. NaN where there are none. */
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

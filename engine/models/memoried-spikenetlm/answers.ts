import { argmax } from '../../evaluation/score-rows.ts';
import type { Player } from '../../backends/backend.ts';
import { packClock } from '../../ops/step-inputs.ts';
import type { MemoriedEvaluateProgram, StreamTargets } from './programs.ts';
import type { LabelledStream, StreamBatch, StreamGatherer } from './streams.ts';
import { MODALITIES, type Modality, rangeOf, type StreamedStructure } from './structure.ts';
import { unigramFloor } from './unigram.ts';

/** A model that is asked, and all streams there are. */
export interface AskedModel {
  readonly structure: StreamedStructure;
  readonly evaluate: MemoriedEvaluateProgram;
  readonly gatherer: StreamGatherer;
  readonly streams: readonly LabelledStream[];
  /** Streams of a batch. */
  readonly batch: number;
}

/** What streams cost in nats, and what token frequencies of those learned from cost: see `unigramFloor`. */
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
  /** Share of streams whose class was known at their end, and of those of the class commonest in training. */
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
        // The last token that is read has heard all others.
        const last = row * sequence + stream.ids.length - 2;
        const ofLast = scores.subarray(last * structure.classes, (last + 1) * structure.classes);
        if (argmax(ofLast) === stream.label) right += 1;
      }
    },
    costs(learned) {
      const counted = learned.flatMap((place) => streams[place] ?? []);
      const common = commonestOf(counted);
      const all = sum(tokens);
      const unigrams = unigramFloor(structure, { counted, asked });
      return {
        tokens: all,
        loss: sum(nats) / all,
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

function sum(numbers: Float64Array): number {
  return numbers.reduce((a, b) => a + b, 0);
}

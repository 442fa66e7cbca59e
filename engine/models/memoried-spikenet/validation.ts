import type { Player } from '../../backends/backend.ts';
import { packClock } from '../../ops/step-inputs.ts';
import { clearCounts, readActivity } from '../../train/activity-meter.ts';
import type { Validation } from '../../train/run.ts';
import type { MemoriedEvaluateProgram, StreamTargets } from './programs.ts';
import type { LabelledStream, StreamBatch, StreamGatherer } from './streams.ts';
import { MODALITIES, rangeOf, type StreamedStructure } from './structure.ts';
import { unigramFloor } from './unigram.ts';

/** What a model is asked, once or often. */
export interface StreamQuestions {
  readonly structure: StreamedStructure;
  readonly evaluate: MemoriedEvaluateProgram;
  readonly gatherer: StreamGatherer;
  readonly streams: readonly LabelledStream[];
  /** Streams of a batch. */
  readonly batch: number;
  /** Places of the streams that are learned from, and of those that are asked. */
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** Writes a batch into the inputs of a program, all but the classes. */
export function writeStreams(player: Player, inputs: StreamTargets, batch: StreamBatch): void {
  player.write(inputs.ids, batch.ids);
  player.write(inputs.modalities, batch.modalities);
  player.write(inputs.mask, batch.mask);
  player.write(inputs.targets, batch.targets);
  player.write(inputs.weights, batch.weights);
}

/**
 * Nats a token of streams that are held back, of all and by modality, each beside what token frequencies of
 * the streams that are learned from cost; and how often the pooled head knows the class of a whole stream,
 * beside the share of the commonest.
 */
export function streamValidation(
  questions: StreamQuestions,
): (player: Player) => Promise<Validation> {
  const { structure, streams, train, test } = questions;
  const streamsAt = (places: readonly number[]) =>
    places.flatMap((place) => streams[place] ?? []);
  const [counted, asked] = [streamsAt(train), streamsAt(test)];
  const floor = unigramFloor(structure, { counted, asked });
  const common = commonest(counted);
  const majority = asked.filter(({ label }) => label === common).length / asked.length;
  return async (player) => {
    clearCounts(player, questions.evaluate.layers);
    const found = await ask(player, questions);
    const tokens = found.tokens.reduce((a, b) => a + b, 0);
    const parts = MODALITIES.flatMap((modality, i) => {
      const [nats = 0, count = 0] = [found.nats[i], found.tokens[i]];
      if (count === 0) return [];
      return [
        [`${modality}_loss`, nats / count],
        [`${modality}_unigram`, floor.of[modality]],
      ] as const;
    });
    const classes = { class_accuracy: found.right / asked.length, class_majority: majority };
    return {
      loss: found.nats.reduce((a, b) => a + b, 0) / tokens,
      layers: await readActivity(player, questions.evaluate.layers, tokens * structure.topK),
      figures: {
        unigram_loss: floor.mixed,
        ...Object.fromEntries(parts),
        ...(structure.classes > 1 && classes),
      },
    };
  };
}

/** Nats and tokens by modality, and streams whose class was known. */
interface Answers {
  readonly nats: Float64Array;
  readonly tokens: Float64Array;
  right: number;
}

async function ask(player: Player, questions: StreamQuestions): Promise<Answers> {
  const { structure, evaluate, gatherer, streams, batch, test } = questions;
  const ends = MODALITIES.map((modality) => rangeOf(structure, modality).end);
  const answers: Answers = { nats: new Float64Array(3), tokens: new Float64Array(3), right: 0 };
  for (let first = 0; first < test.length; first += batch) {
    const places = test.slice(first, first + batch);
    const gathered = gatherer.gather(places);
    writeStreams(player, evaluate, gathered);
    player.write(evaluate.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
    player.play(evaluate.program);
    const losses = await player.read(evaluate.tokenLosses);
    for (const [row, target] of gathered.targets.entries()) {
      if (gathered.mask[row] === 0) continue;
      const modality = ends.findIndex((end) => target < end);
      answers.nats[modality] = (answers.nats[modality] ?? 0) + (losses[row] ?? Number.NaN);
      answers.tokens[modality] = (answers.tokens[modality] ?? 0) + 1;
    }
    const pooled = await player.read(evaluate.pooled);
    const sequence = gathered.ids.length / batch;
    for (const [row, place] of places.entries()) {
      const stream = streams[place];
      // The last token that is read has heard all others.
      const last = row * sequence + (stream?.ids.length ?? 0) - 2;
      const { classes } = structure;
      const scores = pooled.subarray(last * classes, (last + 1) * classes);
      if (largest(scores) === stream?.label) answers.right += 1;
    }
  }
  return answers;
}

function commonest(streams: readonly LabelledStream[]): number {
  const counts: number[] = [];
  for (const { label } of streams) counts[label] = (counts[label] ?? 0) + 1;
  return largest(Array.from(counts, (count = 0) => count));
}

function largest(numbers: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) {
    if ((numbers[i] ?? 0) > (numbers[best] ?? 0)) best = i;
  }
  return best;
}

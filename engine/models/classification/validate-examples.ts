import { argmax } from '../../evaluation/score-rows.ts';
import type { Player } from '../../backends/backend.ts';
import { batchSizes, emptyBatch, type Examples, fillBatch } from '../../data/examples.ts';
import { type ClassificationFigures, createConfusionMeter } from '../../evaluation/confusion.ts';
import { wordCount } from '../../graph/tensor.ts';
import { type Classifier, traceValidation, type ValidateProgram } from './classifier.ts';
import { inEveryStep } from './example-feed.ts';
import { type LayerActivity, layerActivity } from '../../train/spike-statistics.ts';

/** Examples that are asked for at once. */
export const VALIDATION_BATCH = 100;

/** How well a classifier does on examples. */
export interface ExampleValidation {
  /** Mean nats of an example and time step of the logits. */
  readonly loss: number;
  readonly figures: ClassificationFigures;
  readonly layers: readonly LayerActivity[];
}

/** Programs for whole batches and for what is left over, so that every example counts once and nothing else. */
export function traceValidations(
  classifier: Classifier<unknown>,
  count: number,
  batch: number,
): ValidateProgram[] {
  return batchSizes(count, batch).map((size) => traceValidation(classifier, size));
}

/** Asks a classifier for all examples. The programs are those of `traceValidations` for as many. */
export async function validateExamples(
  player: Player,
  programs: readonly ValidateProgram[],
  examples: Examples,
): Promise<ExampleValidation> {
  const meter = createConfusionMeter(classesOf(programs));
  for (const { layers } of programs) {
    for (const { counts } of layers) player.write(counts, new Uint32Array(wordCount(counts)));
  }
  let [loss, losses] = [0, 0];
  for (const { program, first } of batchesOf(programs, examples.count)) {
    const nats = await answerBatch(player, { program, examples, first, add: meter.add });
    for (const one of nats) loss += one;
    losses += nats.length;
  }
  const figures = meter.figures();
  if (!figures) throw new Error('there are no examples in a set that was checked for some');
  return {
    loss: loss / losses,
    figures,
    layers: await activityOf(player, programs, examples.count),
  };
}

function classesOf([program]: readonly ValidateProgram[]): number {
  return program?.scores.shape.at(-1) ?? 1;
}

function* batchesOf([whole, rest]: readonly ValidateProgram[], count: number) {
  if (!whole) return;
  let first = 0;
  for (; first + whole.batch <= count; first += whole.batch) yield { program: whole, first };
  if (rest) yield { program: rest, first };
}

interface Question {
  readonly program: ValidateProgram;
  readonly examples: Examples;
  readonly first: number;
  readonly add: (truth: number, answer: number) => void;
}

/** The nats of a batch's losses; its answers are added up. */
async function answerBatch(
  player: Player,
  { program: { program, batch, inputs, targets, losses, scores }, examples, first, add }: Question,
): Promise<Float32Array | Uint32Array> {
  const filled = emptyBatch(examples, batch);
  fillBatch(
    examples,
    Array.from({ length: batch }, (_, row) => first + row),
    filled,
  );
  player.write(inputs, filled.inputs);
  player.write(targets, inEveryStep(filled.labels, new Uint32Array(wordCount(targets))));
  player.play(program);
  const [nats, answers] = await Promise.all([player.read(losses), player.read(scores)]);
  const classes = answers.length / batch;
  for (const [row, label] of filled.labels.entries()) {
    add(label, argmax(answers.subarray(row * classes, (row + 1) * classes)));
  }
  return nats;
}

async function activityOf(
  player: Player,
  programs: readonly ValidateProgram[],
  count: number,
): Promise<LayerActivity[]> {
  const [whole, rest] = programs;
  const activities = (whole?.layers ?? []).map(async ({ name, counts, steps }, layer) => {
    // Counters are always u32.
    const spikes = (await player.read(counts)) as Uint32Array;
    const others = rest?.layers[layer];
    const more = others ? await player.read(others.counts) : undefined;
    const all = more ? spikes.map((spike, neuron) => spike + (more[neuron] ?? 0)) : spikes;
    return layerActivity(name, all, count * steps);
  });
  return Promise.all(activities);
}

import {
  adamWSize,
  type Memory,
  packed,
  type ParameterSizes,
  part,
  type Part,
  raw,
  sum,
  words,
} from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { HISTORY_SLOTS } from '../../train/step-history.ts';
import { VALIDATION_BATCH } from './classifier.ts';

/** Memory needs of a classifier in training and validation. */
export interface ClassifierSizes {
  readonly parameters: ParameterSizes;
  /** Numbers of an input, all its frames together. */
  readonly inputs: number;
  readonly classes: number;
  /** Time steps of the logits. */
  readonly steps: number;
  /** Neurons of each layer whose spikes are counted. */
  readonly layers: readonly number[];
  /** The most that a step on so many inputs takes at once. */
  step(batch: number): number;
  /** The same of the forward pass alone. */
  forward(batch: number): number;
}

/** Memory of a run by formula: as much as all that it traces. One that is private takes an example at a time. */
export function classifierMemory(
  network: ClassifierSizes,
  batch: number,
  isPrivate: boolean,
): Memory {
  const { parameters } = network;
  const trained = isPrivate ? 1 : batch;
  return {
    parameters,
    arena: Math.max(
      network.step(trained),
      network.forward(VALIDATION_BATCH),
      adamWSize(parameters),
    ),
    lasting: sum([
      inputsOf(network, trained) + words(5),
      isPrivate ? 3 * words(1) + privateLasts(parameters) : 2 * words(HISTORY_SLOTS),
      inputsOf(network, VALIDATION_BATCH) + words(1),
      words(VALIDATION_BATCH, network.classes) + words(VALIDATION_BATCH, network.steps),
      ...network.layers.map((neurons) => words(neurons)),
    ]),
  };
}

/** Inputs, classes and the clock. */
function inputsOf({ inputs, steps }: ClassifierSizes, batch: number): number {
  return words(batch, inputs) + words(batch, steps) + words(4);
}

/** The sums over a step's examples, and the inputs of the step's own program. */
function privateLasts({ bytes }: ParameterSizes): number {
  return bytes + raw(1) + raw(4) + words(4) + words(5) + 2 * words(HISTORY_SLOTS);
}

/** A product with spikes, whose output has a bias. */
export function spikeProduct(rows: number, inputs: number, outputs: number): Part {
  const kept = packed(rows, inputs);
  const given = words(rows, outputs);
  return part(kept, {
    back: [
      kept + given + packed(inputs, rows),
      given + words(rows, inputs) + partialSumsSize(rows, outputs),
    ],
  });
}

/** The loss of logits in so many rows; behind the mean over the steps of what so many bytes said. */
export function lossPart(rows: number, classes: number, said = 0): Part {
  const logits = words(rows, classes);
  return part(logits, {
    there: [logits + said, logits + 2 * words(rows)],
    back: [2 * logits + words(rows), logits + said],
  });
}

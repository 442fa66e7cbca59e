import type { Surrogate } from '../../kernels/neurons.ts';
import { structureChecks } from '../structure-checks.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import { chain, packed, parameterSizes, part, peakOf, words } from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { type ClassifierSizes, lossPart, spikeProduct } from '../classification/sizes.ts';

/** Shape and dynamics of a spiking classifier. */
export interface SpikingMlpStructure {
  /** Numbers of one input, such as the pixels of an image. */
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T for which an input is shown. */
  readonly steps: number;
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
}

/** The network of snnTorch's tutorial 5, for handwritten digits of 28 x 28 pixels. */
export const tutorialStructure: SpikingMlpStructure = {
  inputs: 784,
  hidden: 1000,
  classes: 10,
  steps: 25,
  beta: 0.95,
  threshold: 1,
  surrogate: 'atan',
};

const checks = structureChecks('spiking_mlp');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  inputs: 1 << 20,
  hidden: 1 << 16,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingMlpStructure): void {
  const { inputs, hidden, classes, steps } = structure;
  checks.counts({ inputs, hidden, classes, time_steps: steps }, LIMITS);
  checks.neuron(structure);
}

/** The parameters of the family in a fixed order. Weights are `[inputs, outputs]`. */
export function spikingMlpParameters(structure: SpikingMlpStructure): ParameterSpec[] {
  const { inputs, hidden, classes } = structure;
  return [...layer('hidden', inputs, hidden), ...layer('output', hidden, classes)];
}

/** Weights and biases that start uniform within `inputs^-0.5`, as PyTorch's linear layers do. */
function layer(name: string, inputs: number, outputs: number): ParameterSpec[] {
  const initial = { kind: 'uniform', bound: inputs ** -0.5 } as const;
  return [
    { name: `${name}.weight`, shape: [inputs, outputs], initial, decayed: true },
    { name: `${name}.bias`, shape: [outputs], initial, decayed: false },
  ];
}

/** Memory of the network that predicts by the mean of its membranes. */
export function mlpSizes(structure: SpikingMlpStructure): ClassifierSizes {
  const { inputs, hidden, classes, steps } = structure;
  return {
    parameters: parameterSizes(spikingMlpParameters(structure)),
    inputs,
    classes,
    steps,
    layers: [hidden],
    step(batch) {
      const rows = steps * batch;
      const [current, spikes] = [words(batch, hidden), words(rows, hidden)];
      // Neurons write the gradient of a current of as many steps over that of their spikes.
      const neurons = part(current, {
        back: [
          steps > 1 ? 2 * current + spikes : current + spikes,
          current + partialSumsSize(batch, hidden),
        ],
      });
      const output = words(rows, classes);
      // Membranes have no need of their current on the backward pass.
      const membranes = part(0, { there: [2 * output], back: [2 * output] });
      const product = spikeProduct(rows, hidden, classes);
      return peakOf(chain(neurons, product, membranes, lossPart(rows, classes)));
    },
    forward(batch) {
      const rows = steps * batch;
      const output = words(rows, classes);
      return Math.max(
        words(batch, hidden) + packed(rows, hidden),
        packed(rows, hidden) + output,
        2 * output,
        output + 2 * words(rows),
        // The losses are still there when the mean of the membranes is taken.
        output + words(rows) + words(batch, classes),
      );
    },
  };
}

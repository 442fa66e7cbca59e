import type { Surrogate } from '../../kernels/neurons.ts';
import { structureChecks } from '../structure-checks.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';

/** Shape and dynamics of a spiking classifier of sounds. */
export interface SpikingAudioStructure {
  /** Frames of a sound. */
  readonly frames: number;
  /** Inputs of the neurons per frame. */
  readonly features: number;
  /** Recurrent neurons. */
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T of the neurons within each frame. */
  readonly steps: number;
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
}

const checks = structureChecks('spiking_audio');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  frames: 1 << 12,
  features: 1 << 16,
  hidden: 1 << 14,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingAudioStructure): void {
  const { frames, features, hidden, classes, steps } = structure;
  checks.counts({ frames, features, hidden, classes, time_steps: steps }, LIMITS);
  checks.neuron(structure);
}

/**
 * The parameters of the family in a fixed order. Weights are `[inputs, outputs]`. Recurrent ones start at
 * 0: what neurons should tell each other is learned, chance would only echo noise.
 */
export function spikingAudioParameters(structure: SpikingAudioStructure): ParameterSpec[] {
  const { features, hidden, classes } = structure;
  return [
    ...layer('hidden', features, hidden),
    {
      name: 'recurrent.weight',
      shape: [hidden, hidden],
      initial: { kind: 'constant', value: 0 },
      decayed: true,
    },
    ...layer('output', hidden, classes),
  ];
}

/** Weights that start uniform as He et al. 2015 have it; biases at 0. */
function layer(name: string, inputs: number, outputs: number): ParameterSpec[] {
  return [
    {
      name: `${name}.weight`,
      shape: [inputs, outputs],
      initial: { kind: 'uniform', bound: Math.sqrt(6 / inputs) },
      decayed: true,
    },
    {
      name: `${name}.bias`,
      shape: [outputs],
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    },
  ];
}

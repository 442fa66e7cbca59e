import { EngineError } from '../../errors.ts';
import type { Surrogate } from '../../graph/kernel-attributes.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';

/** What makes one spiking classifier of sounds differ from another in shape or dynamics. */
export interface SpikingAudioStructure {
  /** Frames of a sound. */
  readonly frames: number;
  /** Numbers that the neurons hear of each frame. */
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

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST = {
  frames: 1 << 12,
  features: 1 << 16,
  hidden: 1 << 14,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingAudioStructure): void {
  const { frames, features, hidden, classes, steps, beta, threshold } = structure;
  const counts = { frames, features, hidden, classes, time_steps: steps };
  for (const [name, value] of Object.entries(counts)) {
    const most = LARGEST[name as keyof typeof LARGEST];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${name} is ${value}: expected a whole number from 1 to ${most}`);
  }
  if (!(beta >= 0 && beta <= 1)) refuse(`beta is ${beta}: expected a number from 0 to 1`);
  if (!(threshold > 0)) refuse(`threshold is ${threshold}: expected a positive number`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `spiking_audio: ${message}`);
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

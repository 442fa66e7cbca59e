import type { ParameterSpec } from '../../graph/parameters.ts';
import type { SpikingAudioStructure } from './structure.ts';

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

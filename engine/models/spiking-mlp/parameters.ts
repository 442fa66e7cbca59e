import type { ParameterSpec } from '../../graph/parameters.ts';
import type { SpikingMlpStructure } from './structure.ts';

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

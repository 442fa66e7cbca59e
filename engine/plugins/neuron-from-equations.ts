import type { NeuronModel } from '../kernels/neuron-model.ts';
import { parseNeuron } from '../neurons/equations.ts';
import { writtenModel } from '../neurons/written-model.ts';

/**
 * A model whose step is given as equations, for `ModelNeuronPlugin`. Throws EngineError `invalid-equation`
 * with line, column and what was expected.
 */
export function neuronFromEquations(name: string, equations: string): NeuronModel {
  return writtenModel(name, parseNeuron(equations));
}

import type { NeuronModel, NeuronParameter } from '../kernels/neuron-model.ts';
import { expectAlone, type WrittenNeuron } from '../kernels/written-neuron.ts';
import { compileStep } from './closures.ts';

/** Bounds of a parameter whose text has none. */
const MAX_VALUE = 1e6;

/**
 * A neuron of equations as a model of the simulator: parameters first, then what is learned. Throws EngineError
 * `invalid-equation` for one that needs others of its layer.
 */
export function writtenModel(name: string, neuron: WrittenNeuron): NeuronModel {
  expectAlone(neuron, 'the simulator');
  const given = neuron.parameters.map((one) => parameterOf(one.name, one.value));
  const learned = neuron.learned.map(({ name: own, initial, range }) =>
    parameterOf(own, initial, range),
  );
  const parameters = [...given, ...learned];
  return {
    name,
    states: neuron.states.map((state) => ({ ...state, symbol: state.name, unit: '' })),
    parameters,
    // A device has no arrays of no numbers.
    ...(parameters.length === 0 && { constants: () => [0] }),
    written: neuron,
    step: compileStep(neuron),
  };
}

function parameterOf(
  name: string,
  initial: number,
  { lowest, highest } = { lowest: -MAX_VALUE, highest: MAX_VALUE },
): NeuronParameter {
  const [minimum, maximum] = [Math.min(lowest, initial), Math.max(highest, initial)];
  return { name, symbol: name, unit: '', initial, minimum, maximum };
}

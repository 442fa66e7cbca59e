import { equationError, type Token } from '../kernel-language/tokens.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { compileStep } from './closures.ts';

/** Steps that a neuron is tried for, and the inputs that it is given in all of them. */
const STEPS = 1000;
const INPUTS = [0, 1, -1] as const;

/** Beyond this a state has left what float32 can compute with. */
const MAX_VALUE = 1e30;

/** Throws EngineError `invalid-equation` at a state that grows without bound under a small input. */
export function expectBounded(
  neuron: WrittenNeuron,
  placeOf: (index: number) => Token | undefined,
): void {
  const step = compileStep(neuron);
  const constants = [
    ...neuron.parameters.map(({ value }) => value),
    ...neuron.learned.map(({ initial }) => initial),
  ];
  for (const input of INPUTS) {
    const state = Float64Array.from(neuron.states, ({ initial }) => initial);
    for (let time = 1; time <= STEPS; time++) {
      step(state, constants, input, neuron.dt);
      const index = state.findIndex((value) => !(Math.abs(value) < MAX_VALUE));
      if (index < 0) continue;
      const { name } = neuron.states[index] ?? { name: '' };
      throw equationError(
        `${name} grows without bound: ${state[index]} after ${time} steps of input ${input}; expected a leak or a reset`,
        placeOf(index) ?? { line: 1, column: 1 },
      );
    }
  }
}

import { describe, expect, it } from 'vitest';
import { parseModel } from '../../../web/neuron-lab/host/parse-model.ts';

const state = { name: 'v', symbol: 'v', unit: '', initial: 0 };
const parameter = { name: 'k', symbol: 'k', unit: '', initial: 1, minimum: 0, maximum: 2 };
const model = { name: 'mine', states: [state], parameters: [parameter], step: () => false };

describe('a module that somebody chose', () => {
  it('gives the neuron model that it exports, under whatever name', () => {
    const { name, states, parameters } = parseModel({ other: 1, default: model });
    expect({ name, states, parameters }).toEqual({
      name: 'mine',
      states: [state],
      parameters: [parameter],
    });
  });

  it.each([
    [{}, 'it exports no object with a function named step'],
    [{ model: { ...model, name: '' } }, 'name is , expected a text'],
    [{ model: { ...model, states: [] } }, 'states is , expected a list of 1 to 32'],
    [
      { model: { ...model, states: [{ ...state, initial: Number.NaN }] } },
      'states[0].initial is NaN, expected a finite number',
    ],
    [
      { model: { ...model, parameters: [{ ...parameter, initial: 3 }] } },
      'parameters[0].initial is 3, expected a number from 0 to 2',
    ],
    [{ model: { ...model, constants: 3 } }, 'constants is 3, expected a function'],
  ])('is refused with what is wrong about it: %#', (module, message) => {
    expect(() => parseModel(module)).toThrow(message);
  });
});

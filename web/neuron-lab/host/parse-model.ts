import type { NeuronModel, NeuronParameter, NeuronState } from '../../../engine/index.ts';

/** More numbers than this are no neuron that somebody looks at. */
const MOST = 32;

/**
 * The neuron model among the exports of a module: the first that has states, parameters and a step.
 * Throws an Error that says what is missing or wrong.
 */
export function parseModel(module: unknown): NeuronModel {
  const exported = Object.values(recordOf('the module', module));
  const found = exported.find((value) => isRecord(value) && typeof value['step'] === 'function');
  if (!found) throw new Error('it exports no object with a function named step');
  const { name, states, parameters, constants } = recordOf('the model', found);
  if (typeof name !== 'string' || name === '') throw wrong('name', name, 'a text');
  if (constants !== undefined && typeof constants !== 'function') {
    throw wrong('constants', constants, 'a function');
  }
  const model = found as NeuronModel;
  return {
    ...model,
    states: listOf('states', states, stateOf),
    parameters: listOf('parameters', parameters, parameterOf),
    step: (...given) => model.step(...given),
  };
}

function listOf<T>(place: string, value: unknown, read: (place: string, item: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST) {
    throw wrong(place, value, `a list of 1 to ${MOST}`);
  }
  return value.map((item, index) => read(`${place}[${index}]`, item));
}

function stateOf(place: string, value: unknown): NeuronState {
  const { name, symbol, unit = '', initial } = recordOf(place, value);
  return {
    name: textOf(`${place}.name`, name),
    symbol: textOf(`${place}.symbol`, symbol ?? name),
    unit: textOf(`${place}.unit`, unit),
    initial: numberOf(`${place}.initial`, initial),
  };
}

function parameterOf(place: string, value: unknown): NeuronParameter {
  const { minimum, maximum } = recordOf(place, value);
  const state = stateOf(place, value);
  const ends = {
    minimum: numberOf(`${place}.minimum`, minimum),
    maximum: numberOf(`${place}.maximum`, maximum),
  };
  const isWithin = ends.minimum <= state.initial && state.initial <= ends.maximum;
  if (isWithin) return { ...state, ...ends };
  throw wrong(
    `${place}.initial`,
    state.initial,
    `a number from ${ends.minimum} to ${ends.maximum}`,
  );
}

function textOf(place: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= 100) return value;
  throw wrong(place, value, 'a text of at most 100 characters');
}

function numberOf(place: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw wrong(place, value, 'a finite number');
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function recordOf(place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw wrong(place, value, 'an object');
}

const wrong = (place: string, value: unknown, expected: string) =>
  new Error(`${place} is ${String(value).slice(0, 60)}, expected ${expected}`);

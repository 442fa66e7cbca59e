import type { NeuronModel } from '../kernels/neuron-model.ts';
import { checkModel, neuronModel } from '../neurons/catalogue.ts';
import {
  isSource,
  POISSON,
  type PopulationSpec,
  projectionName,
  recorderName,
  type RecorderSpec,
  REPLAY,
  type SimulationDescription,
  type Values,
} from './description.ts';
import { parseProjection, parseStimulus } from './parse-projection.ts';
import { below, FieldReader, readArray, readNumber, refuse } from './parse-values.ts';

/** Neurons of one population; float32 holds all integers up to here. */
const MAX_NEURONS = 2 ** 24;
const POISSON_RATE = { min: 0, max: 1e6 } as const;

/**
 * Parses and validates a network given as plain data. `models` are those of plugins. Throws EngineError
 * `invalid-setting` naming the path, the value and what was expected.
 */
export function parseDescription(
  value: unknown,
  models: readonly NeuronModel[] = [],
): SimulationDescription {
  for (const model of models) checkModel(model);
  const keys = ['seed', 'dt', 'populations', 'projections', 'stimuli', 'recorders'];
  const fields = new FieldReader('the network', value, keys, '');
  const limits = { min: 0, max: Number.MAX_SAFE_INTEGER, isWhole: true };
  const seed = fields.number('seed', limits, 0);
  const dt = fields.number('dt', { min: 0, max: 1000, isOpen: true }, 1);
  const parts = <T>(name: string, read: (path: string, part: unknown) => T): T[] =>
    (fields.value(name) ?? undefined) === undefined ? [] : fields.list(name, read);
  const populations = parts('populations', (path, part) => parsePopulation(path, part, models));
  if (populations.length === 0) refuse('populations', [], 'at least one population');
  const names = populations.map(({ name }) => name);
  requireDistinct('populations', names);
  const projections = parts('projections', (path, part) =>
    parseProjection(path, part, { populations, dt }),
  );
  requireDistinct('projections', projections.map(projectionName));
  const stimuli = parts('stimuli', (path, part) => parseStimulus(path, part, populations));
  const recorders = parts('recorders', (path, part) =>
    parseRecorder(path, part, { populations, models }),
  );
  requireDistinct('recorders', recorders.map(recorderName));
  return { seed, dt, populations, projections, stimuli, recorders };
}

function requireDistinct(path: string, names: readonly string[]): void {
  const second = names.findIndex((name, i) => names.indexOf(name) !== i);
  if (second >= 0) refuse(`${path}[${second}].name`, names[second], 'a name that no other has');
}

function parsePopulation(
  path: string,
  value: unknown,
  models: readonly NeuronModel[],
): PopulationSpec {
  const keys = ['name', 'count', 'model', 'parameters', 'initial', 'spikes'];
  const fields = new FieldReader(path, value, keys);
  const name = fields.text('name');
  const count = fields.number('count', { min: 1, max: MAX_NEURONS, isWhole: true });
  const model = fields.text('model');
  const base = { name, count, model };
  if (model === REPLAY) {
    return { ...base, spikes: fields.list('spikes', (at, one) => parseSpike(at, one, count)) };
  }
  if (fields.value('spikes') !== undefined)
    fields.refuse('model', `${REPLAY}, as spikes are given`);
  if (model === POISSON) {
    const given = new FieldReader(`${path}.parameters`, fields.value('parameters'), ['rate']);
    return {
      ...base,
      parameters: { rate: given.values('rate', { count, limits: POISSON_RATE }) },
    };
  }
  const { parameters, states } = neuronModel(model, models);
  const limits = parameters.map(({ name: key, minimum: min, maximum: max }) => ({
    name: key,
    limits: { min, max },
  }));
  return {
    ...base,
    parameters: parseNumbers(fields, 'parameters', { known: limits, count }),
    initial: parseNumbers(fields, 'initial', { known: states, count }),
  };
}

interface Known {
  readonly known: readonly {
    readonly name: string;
    readonly limits?: { readonly min: number; readonly max: number };
  }[];
  readonly count: number;
}

/** Values of parameters or initial states by name. */
function parseNumbers(
  fields: FieldReader,
  field: string,
  { known, count }: Known,
): Record<string, Values> {
  const keys = known.map(({ name }) => name);
  const given = new FieldReader(fields.path(field), fields.value(field) ?? {}, keys);
  const entries = known
    .filter(({ name }) => given.value(name) !== undefined)
    .map(({ name, limits = {} }) => [name, given.values(name, { count, limits })] as const);
  return Object.fromEntries(entries);
}

function parseSpike(path: string, value: unknown, count: number): [step: number, neuron: number] {
  const pair = readArray(path, value);
  if (pair.length !== 2) refuse(path, value, 'a step and a neuron');
  const step = readNumber(`${path}[0]`, pair[0], below(MAX_NEURONS + 1));
  return [step, readNumber(`${path}[1]`, pair[1], below(count))];
}

interface RecorderContext {
  readonly populations: readonly PopulationSpec[];
  readonly models: readonly NeuronModel[];
}

function parseRecorder(
  path: string,
  value: unknown,
  { populations, models }: RecorderContext,
): RecorderSpec {
  const fields = new FieldReader(path, value, ['kind', 'of', 'name', 'state', 'neurons']);
  const { name: of, model, count } = fields.population('of', populations);
  const base = { of, ...fields.optional('name', (name) => fields.text(name)) };
  const kind = fields.value('kind');
  if (kind === 'spikes' || kind === 'rate') return { kind, ...base };
  const found = isSource(model) ? undefined : neuronModel(model, models);
  if (kind === 'synchrony') {
    if (found?.phase !== undefined) return { kind, ...base };
    return fields.refuse('of', `a population whose neurons have phases, ${model} has none`);
  }
  if (kind !== 'state') return fields.refuse('kind', 'spikes, rate, state or synchrony');
  if (found) return { kind, ...base, ...parseRecordedState(fields, found, count) };
  return fields.refuse('of', `a population with states, ${model} has none`);
}

function parseRecordedState(fields: FieldReader, { states }: NeuronModel, count: number) {
  const known = states.map(({ name }) => name);
  const state = fields.text('state');
  if (!known.includes(state)) fields.refuse('state', known.join(' or '));
  const neurons = fields.optional('neurons', (name) => fields.indices(name, count));
  if (neurons.neurons?.length === 0) fields.refuse('neurons', 'at least one neuron');
  return { state, ...neurons };
}

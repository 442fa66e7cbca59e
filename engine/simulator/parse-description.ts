import type { NeuronModel } from '../kernels/neuron-model.ts';
import { neuronModel } from '../neurons/catalogue.ts';
import { checkModel } from '../neurons/check-model.ts';
import { readArray, readNumber, readObject, readText, refuse, type Unknowns } from './checks.ts';
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
import { parseProjection } from './parse-projection.ts';
import { parseStimulus } from './parse-stimulus.ts';
import { readPopulation } from './read-population.ts';
import { readValues } from './values.ts';

/** Neurons of one population; the limit is that of whole numbers in float32. */
const MOST_NEURONS = 2 ** 24;
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
const POISSON_RATE = { least: 0, most: 1e6 } as const;

/**
 * Reads a network from plain data and checks all of it, so that what it becomes can rely on every number.
 * `models` are those of plugins. Throws EngineError `invalid-setting` naming the place, the value and what
 * was expected.
 */
export function parseDescription(
  value: unknown,
  models: readonly NeuronModel[] = [],
): SimulationDescription {
  for (const model of models) checkModel(model);
  const keys = ['seed', 'dt', 'populations', 'projections', 'stimuli', 'recorders'];
  const fields = readObject('the network', value, keys);
  const seed = readNumber('seed', fields['seed'] ?? 0, {
    least: 0,
    most: LARGEST_SEED,
    isWhole: true,
  });
  const dt = readNumber('dt', fields['dt'] ?? 1, { least: 0, most: 1000, isOpen: true });
  const listOf = (name: string) => readArray(name, fields[name] ?? []);
  const populations = listOf('populations').map((one, i) =>
    parsePopulation(`populations[${i}]`, one, models),
  );
  if (populations.length === 0) refuse('populations', [], 'at least one population');
  requireDistinct(
    'populations',
    populations.map(({ name }) => name),
  );
  const projections = listOf('projections').map((one, i) =>
    parseProjection(`projections[${i}]`, one, { populations, dt }),
  );
  requireDistinct('projections', projections.map(projectionName));
  const stimuli = listOf('stimuli').map((one, i) =>
    parseStimulus(`stimuli[${i}]`, one, populations),
  );
  const recorders = listOf('recorders').map((one, i) =>
    parseRecorder(`recorders[${i}]`, one, { populations, models }),
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
  const fields = readObject(path, value, keys);
  const name = readText(`${path}.name`, fields['name']);
  const limits = { least: 1, most: MOST_NEURONS, isWhole: true };
  const count = readNumber(`${path}.count`, fields['count'], limits);
  const model = readText(`${path}.model`, fields['model']);
  const base = { name, count, model };
  if (model === REPLAY) return { ...base, spikes: parseSpikes(path, fields['spikes'], count) };
  if (fields['spikes'] !== undefined)
    refuse(`${path}.model`, model, `${REPLAY}, as spikes are given`);
  if (model === POISSON) {
    const given = readObject(`${path}.parameters`, fields['parameters'], ['rate']);
    const rate = readValues(`${path}.parameters.rate`, given['rate'], {
      count,
      limits: POISSON_RATE,
    });
    return { ...base, parameters: { rate } };
  }
  const found = neuronModel(model, models);
  return {
    ...base,
    parameters: parseParameters(`${path}.parameters`, fields['parameters'] ?? {}, { found, count }),
    initial: parseInitial(`${path}.initial`, fields['initial'] ?? {}, { found, count }),
  };
}

interface Modelled {
  readonly found: NeuronModel;
  readonly count: number;
}

function parseParameters(
  path: string,
  value: unknown,
  { found, count }: Modelled,
): Record<string, Values> {
  const given = readObject(
    path,
    value,
    found.parameters.map(({ name }) => name),
  );
  const entries = found.parameters
    .filter(({ name }) => given[name] !== undefined)
    .map(({ name, minimum: least, maximum: most }) => {
      const limits = { least, most };
      return [name, readValues(`${path}.${name}`, given[name], { count, limits })] as const;
    });
  return Object.fromEntries(entries);
}

function parseInitial(
  path: string,
  value: unknown,
  { found, count }: Modelled,
): Record<string, Values> {
  const given = readObject(
    path,
    value,
    found.states.map(({ name }) => name),
  );
  const entries = Object.entries(given).map(
    ([name, values]) => [name, readValues(`${path}.${name}`, values, { count })] as const,
  );
  return Object.fromEntries(entries);
}

function parseSpikes(path: string, value: unknown, count: number): [number, number][] {
  return readArray(`${path}.spikes`, value).map((one, i) => {
    const at = `${path}.spikes[${i}]`;
    const pair = readArray(at, one);
    if (pair.length !== 2) refuse(at, one, 'a step and a neuron');
    const step = readNumber(`${at}[0]`, pair[0], { least: 0, most: MOST_NEURONS, isWhole: true });
    const neuron = readNumber(`${at}[1]`, pair[1], { least: 0, most: count - 1, isWhole: true });
    return [step, neuron];
  });
}

interface Around {
  readonly populations: readonly PopulationSpec[];
  readonly models: readonly NeuronModel[];
}

function parseRecorder(
  path: string,
  value: unknown,
  { populations, models }: Around,
): RecorderSpec {
  const fields = readObject(path, value, ['kind', 'of', 'name', 'state', 'neurons']);
  const of = readPopulation(`${path}.of`, fields['of'], populations);
  const name =
    fields['name'] === undefined ? {} : { name: readText(`${path}.name`, fields['name']) };
  const { kind } = fields;
  if (kind === 'spikes' || kind === 'rate') return { kind, of: of.name, ...name };
  if (kind === 'synchrony') {
    requirePhases(`${path}.of`, of, models);
    return { kind, of: of.name, ...name };
  }
  if (kind !== 'state') refuse(`${path}.kind`, kind, 'spikes, rate, state or synchrony');
  return { kind, of: of.name, ...name, ...parseChosen(path, fields, { of, models }) };
}

function requirePhases(path: string, { name, model }: PopulationSpec, models: Around['models']) {
  const hasPhases = !isSource(model) && neuronModel(model, models).phase !== undefined;
  if (!hasPhases) refuse(path, name, `a population whose neurons have phases, ${model} has none`);
}

function parseChosen(
  path: string,
  fields: Unknowns,
  { of, models }: { readonly of: PopulationSpec; readonly models: readonly NeuronModel[] },
): { state: string; neurons?: number[] } {
  if (isSource(of.model)) {
    refuse(`${path}.of`, of.name, `a population with states, ${of.model} has none`);
  }
  const known = neuronModel(of.model, models).states.map((state) => state.name);
  const state = readText(`${path}.state`, fields['state']);
  if (!known.includes(state)) refuse(`${path}.state`, state, known.join(' or '));
  if (fields['neurons'] === undefined) return { state };
  const neurons = readArray(`${path}.neurons`, fields['neurons']).map((one, i) =>
    readNumber(`${path}.neurons[${i}]`, one, { least: 0, most: of.count - 1, isWhole: true }),
  );
  if (neurons.length === 0) refuse(`${path}.neurons`, neurons, 'at least one neuron');
  return { state, neurons };
}

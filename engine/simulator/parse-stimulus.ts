import { isSource, type PopulationSpec, type StimulusSpec } from './description.ts';
import {
  readArray,
  readNumber,
  readObject,
  readPopulation,
  refuse,
  type Unknowns,
} from './parse-values.ts';

/** Hz; more than a thousand events a step are better given as a current. */
const MAX_RATE = 1e6;

export function parseStimulus(
  path: string,
  value: unknown,
  populations: readonly PopulationSpec[],
): StimulusSpec {
  const keys = [
    'kind',
    'to',
    'neurons',
    'current',
    'start',
    'stop',
    'mean',
    'deviation',
    'rate',
    'weight',
  ];
  const fields = readObject(path, value, keys);
  const target = readPopulation(`${path}.to`, fields['to'], populations);
  if (isSource(target.model)) {
    refuse(`${path}.to`, target.name, `a population with inputs, ${target.model} has none`);
  }
  const base = { to: target.name, ...parseRange(path, fields['neurons'], target.count) };
  const number = (name: string, limits = {}) => readNumber(`${path}.${name}`, fields[name], limits);
  switch (fields['kind']) {
    case 'current':
      return { kind: 'current', ...base, ...parseCurrent(path, fields) };
    case 'noise':
      return {
        kind: 'noise',
        ...base,
        mean: number('mean'),
        deviation: number('deviation', { min: 0 }),
      };
    case 'poisson':
      return {
        kind: 'poisson',
        ...base,
        rate: number('rate', { min: 0, max: MAX_RATE }),
        weight: number('weight'),
      };
    default:
      return refuse(`${path}.kind`, fields['kind'], 'current, noise or poisson');
  }
}

function parseRange(
  path: string,
  value: unknown,
  count: number,
): { neurons?: readonly [number, number] } {
  if (value === undefined) return {};
  const pair = readArray(`${path}.neurons`, value);
  const first = readNumber(`${path}.neurons[0]`, pair[0], {
    min: 0,
    max: count - 1,
    isWhole: true,
  });
  const limits = { min: 1, max: count - first, isWhole: true };
  return { neurons: [first, readNumber(`${path}.neurons[1]`, pair[1], limits)] };
}

function parseCurrent(path: string, fields: Unknowns) {
  const { current, start, stop } = fields;
  const times = {
    ...(start !== undefined && { start: readNumber(`${path}.start`, start, { min: 0 }) }),
    ...(stop !== undefined && {
      stop: readNumber(`${path}.stop`, stop, { min: typeof start === 'number' ? start : 0 }),
    }),
  };
  if (!Array.isArray(current)) return { current: readNumber(`${path}.current`, current), ...times };
  if (stop === undefined) refuse(`${path}.stop`, stop, 'the end of the ramp in ms');
  const from = readNumber(`${path}.current[0]`, current[0]);
  return { current: [from, readNumber(`${path}.current[1]`, current[1])] as const, ...times };
}

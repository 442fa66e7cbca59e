import {
  type Connection,
  isSource,
  type PlasticitySpec,
  type PopulationSpec,
  type ProjectionSpec,
  type StimulusSpec,
} from './description.ts';
import { below, FieldReader, readArray, readNumber, refuse } from './parse-values.ts';

/** Maximum delay in steps: each is a slot of the ring buffer of future inputs. */
const MAX_SLOTS = 65_535;
/** Hz; more than a thousand events a step are better given as a current. */
const MAX_RATE = 1e6;

interface Sides {
  readonly source: PopulationSpec;
  readonly target: PopulationSpec;
}

export function parseProjection(
  path: string,
  value: unknown,
  { populations, dt }: { readonly populations: readonly PopulationSpec[]; readonly dt: number },
): ProjectionSpec {
  const keys = ['name', 'from', 'to', 'connect', 'weight', 'delay', 'plasticity'];
  const fields = new FieldReader(path, value, keys);
  const source = fields.population('from', populations);
  const target = readTarget(fields, populations);
  const connect = parseConnection(fields.path('connect'), fields.value('connect'), {
    source,
    target,
  });
  const count = connect.kind === 'list' ? connect.sources.length : undefined;
  const limits = { min: dt, max: dt * MAX_SLOTS };
  return {
    ...fields.optional('name', (name) => fields.text(name)),
    from: source.name,
    to: target.name,
    connect,
    weight: fields.values('weight', { count }),
    ...fields.optional('delay', (name) => fields.values(name, { count, limits })),
    ...fields.optional('plasticity', (name) =>
      parsePlasticity(fields.path(name), fields.value(name)),
    ),
  };
}

/** The population that receives input. */
function readTarget(fields: FieldReader, populations: readonly PopulationSpec[]): PopulationSpec {
  const target = fields.population('to', populations);
  if (!isSource(target.model)) return target;
  return fields.refuse('to', `a population with inputs, ${target.model} has none`);
}

const KINDS = ['all', 'one', 'probability', 'inDegree', 'list'] as const;

function parseConnection(path: string, value: unknown, { source, target }: Sides): Connection {
  const fields = new FieldReader(path, value, ['kind', 'self', 'p', 'k', 'sources', 'targets']);
  const kind = KINDS.find((one) => one === fields.value('kind'));
  const self = fields.optional('self', (name) => fields.flag(name));
  switch (kind) {
    case 'all':
      return { kind, ...self };
    case 'one':
      if (source.count === target.count) return { kind };
      return fields.refuse(
        'kind',
        `as many neurons on both sides, not ${source.count} and ${target.count}`,
      );
    case 'probability':
      return { kind, ...self, p: fields.number('p', { min: 0, max: 1 }) };
    case 'inDegree':
      if (self.self === false && source === target && source.count === 1) {
        fields.refuse('self', 'true, as there is one neuron');
      }
      return { kind, ...self, k: fields.number('k', { min: 0, max: 2 ** 24, isWhole: true }) };
    case 'list':
      return parseList(fields, { source, target });
    default:
      return fields.refuse('kind', KINDS.join(', '));
  }
}

function parseList(fields: FieldReader, { source, target }: Sides): Connection {
  const sources = fields.indices('sources', source.count);
  const targets = fields.indices('targets', target.count);
  if (sources.length === targets.length) return { kind: 'list', sources, targets };
  const path = `${fields.path('targets')}.length`;
  return refuse(path, targets.length, `${sources.length}, as of sources`);
}

function parsePlasticity(path: string, value: unknown): PlasticitySpec {
  const fields = new FieldReader(path, value, ['rule', 'parameters']);
  const rule = fields.text('rule');
  const given = fields.value('parameters');
  if (given === undefined) return { rule };
  const parameters = Object.entries(given ?? {}).map(
    ([name, number]) => [name, readNumber(`${path}.parameters.${name}`, number)] as const,
  );
  return { rule, parameters: Object.fromEntries(parameters) };
}

const STIMULUS_KEYS = 'kind to neurons current start stop mean deviation rate weight'.split(' ');

export function parseStimulus(
  path: string,
  value: unknown,
  populations: readonly PopulationSpec[],
): StimulusSpec {
  const fields = new FieldReader(path, value, STIMULUS_KEYS);
  const target = readTarget(fields, populations);
  const range = fields.optional('neurons', () => parseRange(fields, target.count));
  const base = { to: target.name, ...range };
  switch (fields.value('kind')) {
    case 'current':
      return { kind: 'current', ...base, ...parseCurrent(fields) };
    case 'noise': {
      const deviation = fields.number('deviation', { min: 0 });
      return { kind: 'noise', ...base, mean: fields.number('mean'), deviation };
    }
    case 'poisson': {
      const rate = fields.number('rate', { min: 0, max: MAX_RATE });
      return { kind: 'poisson', ...base, rate, weight: fields.number('weight') };
    }
    default:
      return fields.refuse('kind', 'current, noise or poisson');
  }
}

/** The first neuron and the number of neurons. */
function parseRange(fields: FieldReader, count: number): readonly [number, number] {
  const path = fields.path('neurons');
  const [start, length] = readArray(path, fields.value('neurons'));
  const first = readNumber(`${path}[0]`, start, below(count));
  const limits = { min: 1, max: count - first, isWhole: true };
  return [first, readNumber(`${path}[1]`, length, limits)];
}

function parseCurrent(fields: FieldReader) {
  const start = fields.value('start');
  const min = typeof start === 'number' ? start : 0;
  const times = {
    ...fields.optional('start', (name) => fields.number(name, { min: 0 })),
    ...fields.optional('stop', (name) => fields.number(name, { min })),
  };
  const current = fields.value('current');
  if (!Array.isArray(current)) return { current: fields.number('current'), ...times };
  if (times.stop === undefined) fields.refuse('stop', 'the end of the ramp in ms');
  const path = fields.path('current');
  const [from, until] = current;
  const ramp = [readNumber(`${path}[0]`, from), readNumber(`${path}[1]`, until)] as const;
  return { current: ramp, ...times };
}

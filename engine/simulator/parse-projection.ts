import {
  type Connection,
  isSource,
  type PlasticitySpec,
  type PopulationSpec,
  type ProjectionSpec,
} from './description.ts';
import {
  readArray,
  readNumber,
  readObject,
  readPopulation,
  readText,
  readValues,
  refuse,
  type Unknowns,
} from './parse-values.ts';

/** Maximum delay in steps: each is a slot of the ring buffer of future inputs. */
const MAX_SLOTS = 65_535;

interface Around {
  readonly populations: readonly PopulationSpec[];
  readonly dt: number;
}

interface Sides {
  readonly source: PopulationSpec;
  readonly target: PopulationSpec;
}

export function parseProjection(
  path: string,
  value: unknown,
  { populations, dt }: Around,
): ProjectionSpec {
  const keys = ['name', 'from', 'to', 'connect', 'weight', 'delay', 'plasticity'];
  const fields = readObject(path, value, keys);
  const source = readPopulation(`${path}.from`, fields['from'], populations);
  const target = readPopulation(`${path}.to`, fields['to'], populations);
  if (isSource(target.model)) {
    refuse(`${path}.to`, target.name, `a population with inputs, ${target.model} has none`);
  }
  const connect = parseConnection(`${path}.connect`, fields['connect'], { source, target });
  const count = connect.kind === 'list' ? connect.sources.length : undefined;
  const delay = { min: dt, max: dt * MAX_SLOTS };
  return {
    ...(fields['name'] !== undefined && { name: readText(`${path}.name`, fields['name']) }),
    from: source.name,
    to: target.name,
    connect,
    weight: readValues(`${path}.weight`, fields['weight'], { count }),
    ...(fields['delay'] !== undefined && {
      delay: readValues(`${path}.delay`, fields['delay'], { count, limits: delay }),
    }),
    ...(fields['plasticity'] !== undefined && {
      plasticity: parsePlasticity(`${path}.plasticity`, fields['plasticity']),
    }),
  };
}

const KINDS = ['all', 'one', 'probability', 'inDegree', 'list'] as const;

function parseConnection(path: string, value: unknown, sides: Sides): Connection {
  const fields = readObject(path, value, ['kind', 'self', 'p', 'k', 'sources', 'targets']);
  const kind = KINDS.find((one) => one === fields['kind']);
  const self =
    fields['self'] === undefined ? {} : { self: readFlag(`${path}.self`, fields['self']) };
  switch (kind) {
    case 'all':
      return { kind, ...self };
    case 'one':
      return parseOne(path, sides);
    case 'probability':
      return { kind, ...self, p: readNumber(`${path}.p`, fields['p'], { min: 0, max: 1 }) };
    case 'inDegree':
      return { kind, ...self, k: parseDegree(path, fields, sides) };
    case 'list':
      return parseList(path, fields, sides);
    default:
      return refuse(`${path}.kind`, fields['kind'], KINDS.join(', '));
  }
}

function readFlag(path: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse(path, value, 'true or false');
}

function parseOne(path: string, { source, target }: Sides): Connection {
  if (source.count === target.count) return { kind: 'one' };
  return refuse(
    `${path}.kind`,
    'one',
    `as many neurons on both sides, not ${source.count} and ${target.count}`,
  );
}

function parseDegree(path: string, fields: Unknowns, { source, target }: Sides): number {
  const isAlone = source.name === target.name && source.count === 1;
  if (isAlone && fields['self'] === false)
    refuse(`${path}.self`, false, 'true, as there is one neuron');
  return readNumber(`${path}.k`, fields['k'], { min: 0, max: 2 ** 24, isWhole: true });
}

function parseList(path: string, fields: Unknowns, { source, target }: Sides): Connection {
  const side = (name: 'sources' | 'targets', count: number) =>
    readArray(`${path}.${name}`, fields[name]).map((one, i) =>
      readNumber(`${path}.${name}[${i}]`, one, { min: 0, max: count - 1, isWhole: true }),
    );
  const sources = side('sources', source.count);
  const targets = side('targets', target.count);
  if (sources.length === targets.length) return { kind: 'list', sources, targets };
  return refuse(`${path}.targets.length`, targets.length, `${sources.length}, as of sources`);
}

function parsePlasticity(path: string, value: unknown): PlasticitySpec {
  const fields = readObject(path, value, ['rule', 'parameters']);
  const rule = readText(`${path}.rule`, fields['rule']);
  if (fields['parameters'] === undefined) return { rule };
  const given = Object.entries(fields['parameters'] ?? {});
  const parameters = given.map(
    ([name, number]) => [name, readNumber(`${path}.parameters.${name}`, number)] as const,
  );
  return { rule, parameters: Object.fromEntries(parameters) };
}

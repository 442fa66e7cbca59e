import { EngineError } from '../errors.ts';
import {
  type ConfigurationSchema,
  configurationFaults,
  defaultsOf,
  type Setting,
} from './configuration.ts';
import { isPluginType, PLUGIN_TYPES, type PluginType } from './plugin-type.ts';
import type { Port, Ports } from './ports.ts';
import { isRange, isVersion } from './versions.ts';

/** What a plugin says about itself. */
export interface PluginMetadata {
  /** Unique among all plugins, such as `LIFNeuronPlugin`. */
  readonly name: string;
  readonly type: PluginType;
  /** SemVer 2.0.0. */
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  /** Other plugins that have to be active, by name, with the range of their versions. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly configuration: ConfigurationSchema;
  /** What `execute` takes and gives. */
  readonly inputs: Ports;
  readonly outputs: Ports;
}

/** Metadata as an author writes it: what is left out is empty. */
export type MetadataInput = Pick<PluginMetadata, 'name' | 'type' | 'version' | 'description'> &
  Partial<PluginMetadata>;

export function metadata(given: MetadataInput): PluginMetadata {
  const empty = {
    dependencies: {},
    configuration: { type: 'object', properties: {} },
    inputs: {},
    outputs: {},
  };
  return parseMetadata({ ...empty, ...given });
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Reads what somebody else's plugin says about itself. @throws EngineError plugin-refused */
export function parseMetadata(value: unknown): PluginMetadata {
  const given = recordOf('its metadata', value);
  const { name, type, version, description, author } = given;
  expect(
    typeof name === 'string' && NAME.test(name),
    'name',
    name,
    'a letter, then 0 to 63 of A-Z a-z 0-9 _ -',
  );
  expect(isPluginType(type), 'type', type, PLUGIN_TYPES.join(', '));
  expect(isVersion(version), 'version', version, 'a version such as 1.0.0');
  expect(isText(description, 2000), 'description', description, 'a text');
  expect(author === undefined || isText(author, 200), 'author', author, 'a text');
  const dependencies = recordOf('dependencies', given['dependencies']);
  for (const [on, range] of Object.entries(dependencies)) {
    expect(isRange(range), `dependencies.${on}`, range, 'a range of versions such as ^1.2.0');
  }
  checkSchema(given['configuration']);
  checkPorts('inputs', given['inputs']);
  checkPorts('outputs', given['outputs']);
  // Every member was looked at above.
  return given as unknown as PluginMetadata;
}

function checkSchema(value: unknown): void {
  const schema = recordOf('configuration', value);
  expect(schema['type'] === 'object', 'configuration.type', schema['type'], '"object"');
  const properties = recordOf('configuration.properties', schema['properties']);
  for (const [name, setting] of Object.entries(properties)) {
    expect(FIELD.test(name), 'configuration', name, 'a name of letters, digits and _');
    checkSetting(`configuration.${name}`, recordOf(`configuration.${name}`, setting));
  }
  const known = value as ConfigurationSchema;
  const [fault] = configurationFaults(known, defaultsOf(known));
  expect(
    !fault,
    `configuration.${fault?.name}.default`,
    fault?.detail,
    'a default that the setting allows',
  );
}

const SETTING_TYPES: readonly Setting['type'][] = ['number', 'integer', 'boolean', 'string'];
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const;

function checkSetting(place: string, setting: Readonly<Record<string, unknown>>): void {
  const { type, title, description, unit, enum: choices } = setting;
  expect(
    SETTING_TYPES.some((t) => t === type),
    `${place}.type`,
    type,
    SETTING_TYPES.join(', '),
  );
  expect(isText(title, 200), `${place}.title`, title, 'a text');
  expect(
    description === undefined || isText(description, 1000),
    `${place}.description`,
    description,
    'a text',
  );
  expect(unit === undefined || isText(unit, 20), `${place}.unit`, unit, 'a text');
  for (const bound of BOUNDS) {
    const limit = setting[bound];
    expect(
      limit === undefined || Number.isFinite(limit),
      `${place}.${bound}`,
      limit,
      'a finite number',
    );
  }
  const isChoice =
    Array.isArray(choices) && choices.length > 0 && choices.every((c) => isText(c, 200));
  expect(choices === undefined || isChoice, `${place}.enum`, choices, 'a list of texts');
}

const PORT_KINDS: readonly Port['kind'][] = ['array', 'number', 'text', 'boolean', 'json'];

function checkPorts(place: string, value: unknown): void {
  for (const [name, port] of Object.entries(recordOf(place, value))) {
    expect(FIELD.test(name), place, name, 'a name of letters, digits and _');
    const { kind, axes, values, description } = recordOf(`${place}.${name}`, port);
    expect(
      PORT_KINDS.some((k) => k === kind),
      `${place}.${name}.kind`,
      kind,
      PORT_KINDS.join(', '),
    );
    expect(isText(description, 1000), `${place}.${name}.description`, description, 'a text');
    const isAxes = Array.isArray(axes) && axes.every((axis) => isText(axis, 20));
    expect(kind !== 'array' || isAxes, `${place}.${name}.axes`, axes, 'the names of its axes');
    const isKnown = values === undefined || values === 'spikes' || values === 'finite';
    expect(isKnown, `${place}.${name}.values`, values, '"spikes" or "finite"');
  }
}

function recordOf(place: string, value: unknown): Readonly<Record<string, unknown>> {
  expect(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    place,
    value,
    'an object',
  );
  return value as Readonly<Record<string, unknown>>;
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length <= maxLength;

function expect(holds: boolean, place: string, value: unknown, expected: string): void {
  if (holds) return;
  const got = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  throw new EngineError('plugin-refused', `${place} is ${got.slice(0, 100)}, expected ${expected}`);
}

import { EngineError } from '../errors.ts';
import {
  configurationFaults,
  type ConfigurationSchema,
  defaultsOf,
  type Setting,
} from './configuration.ts';
import type { Port, Ports } from './ports.ts';
import { isRange, isVersion } from './dependencies.ts';

/** Kinds of plugins. */
export const PluginType = {
  NEURON: 'NEURON',
  ENCODER: 'ENCODER',
  PLASTICITY: 'PLASTICITY',
  FUNCTIONAL: 'FUNCTIONAL',
  LEARNING: 'LEARNING',
  MONITORING: 'MONITORING',
  COMMUNICATION: 'COMMUNICATION',
} as const;
export type PluginType = (typeof PluginType)[keyof typeof PluginType];

export const PLUGIN_TYPES: readonly PluginType[] = Object.values(PluginType);

export const isPluginType = (value: unknown): value is PluginType =>
  PLUGIN_TYPES.some((type) => type === value);

/** A plugin's description of itself. */
export interface PluginMetadata {
  /** Unique among all plugins, such as `LIFNeuronPlugin`. */
  readonly name: string;
  readonly type: PluginType;
  /** SemVer 2.0.0. */
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  /** Plugins that have to be active, by name, with their version ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly configuration: ConfigurationSchema;
  /** Ports of `execute`. */
  readonly inputs: Ports;
  readonly outputs: Ports;
}

/** Metadata as an author writes it; members that are left out are empty. */
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

/** A member with its check and the expectation for the message. */
type Rule = readonly [member: string, isRight: (value: unknown) => boolean, expected: string];

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const text =
  (maxLength: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= maxLength;
const maybe = (isRight: Rule[1]) => (value: unknown) => value === undefined || isRight(value);
const oneOf = (choices: readonly string[]) => (value: unknown) =>
  choices.some((choice) => choice === value);
const texts = (value: unknown) => Array.isArray(value) && value.every(text(200));
const isBoolean = (value: unknown) => typeof value === 'boolean';

const RULES: readonly Rule[] = [
  [
    'name',
    (value) => typeof value === 'string' && NAME.test(value),
    'a letter, then 0 to 63 of A-Z a-z 0-9 _ -',
  ],
  ['type', isPluginType, PLUGIN_TYPES.join(', ')],
  ['version', isVersion, 'a version such as 1.0.0'],
  ['description', text(2000), 'a text'],
  ['author', maybe(text(200)), 'a text'],
];

const SETTING_TYPES: readonly Setting['type'][] = ['number', 'integer', 'boolean', 'string'];
const NUMBERS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'maxLength'];

const SETTING_RULES: readonly Rule[] = [
  ['type', oneOf(SETTING_TYPES), SETTING_TYPES.join(', ')],
  ['title', text(200), 'a text'],
  ['description', maybe(text(1000)), 'a text'],
  ['unit', maybe(text(20)), 'a text'],
  ['enum', maybe(texts), 'a list of texts'],
  ['required', maybe(isBoolean), 'true or false'],
  ['writeOnly', maybe(isBoolean), 'true or false'],
  ...NUMBERS.map((name): Rule => [name, maybe(Number.isFinite), 'a finite number']),
];

const PORT_KINDS: readonly Port['kind'][] = ['array', 'number', 'text', 'boolean', 'json'];

const PORT_RULES: readonly Rule[] = [
  ['kind', oneOf(PORT_KINDS), PORT_KINDS.join(', ')],
  ['description', text(1000), 'a text'],
  ['optional', maybe(isBoolean), 'true or false'],
  ['values', maybe(oneOf(['spikes', 'finite'])), '"spikes" or "finite"'],
];

/**
 * Validates the metadata of a foreign plugin.
 * @throws EngineError plugin-refused
 */
export function parseMetadata(value: unknown): PluginMetadata {
  const given = recordOf('its metadata', value);
  hold('', given, RULES);
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
    hold(`configuration.${name}.`, recordOf(`configuration.${name}`, setting), SETTING_RULES);
  }
  const known = value as ConfigurationSchema;
  const [fault] = configurationFaults(known, defaultsOf(known));
  const place = `configuration.${fault?.name}.default`;
  expect(!fault, place, fault?.detail, 'a default that the setting allows');
}

function checkPorts(place: string, value: unknown): void {
  for (const [name, port] of Object.entries(recordOf(place, value))) {
    expect(FIELD.test(name), place, name, 'a name of letters, digits and _');
    const given = recordOf(`${place}.${name}`, port);
    hold(`${place}.${name}.`, given, PORT_RULES);
    const isWhole = given['kind'] !== 'array' || texts(given['axes']);
    expect(isWhole, `${place}.${name}.axes`, given['axes'], 'the names of its axes');
  }
}

function hold(
  place: string,
  given: Readonly<Record<string, unknown>>,
  rules: readonly Rule[],
): void {
  for (const [member, isRight, expected] of rules) {
    expect(isRight(given[member]), place + member, given[member], expected);
  }
}

function recordOf(place: string, value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  expect(isRecord, place, value, 'an object');
  return value as Readonly<Record<string, unknown>>;
}

function expect(holds: boolean, place: string, value: unknown, expected: string): void {
  if (holds) return;
  throw new EngineError('plugin-refused', `${place} is ${shown(value)}, expected ${expected}`);
}

/** A foreign value in a message, which may not be serializable. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'string' && typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value).slice(0, 100);
  } catch {
    return 'a strange value';
  }
}

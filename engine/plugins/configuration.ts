import { EngineError } from '../errors.ts';

interface Described {
  /** A few words for a form. */
  readonly title: string;
  readonly description?: string;
}

export interface NumberSetting extends Described {
  readonly type: 'number' | 'integer';
  readonly default: number;
  /** Such as `ms`. */
  readonly unit?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

interface BooleanSetting extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

export interface TextSetting extends Described {
  readonly type: 'string';
  readonly default: string;
  /** Allowed values; any text by default. */
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  /** The plugin cannot begin while it is empty. */
  readonly required?: boolean;
  /** A secret, such as a password or a key: it is never shown or logged. */
  readonly writeOnly?: boolean;
}

export type Setting = NumberSetting | BooleanSetting | TextSetting;

/** The settings of a plugin as JSON Schema, from which forms are made. */
export interface ConfigurationSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Setting>>;
}

type ConfigurationValue = number | boolean | string;
export type Configuration = Readonly<Record<string, ConfigurationValue>>;

/** An invalid value of a setting. */
export interface ConfigurationFault {
  readonly name: string;
  readonly detail: string;
}

/** A schema of its settings; the type of each value follows from it. */
export function settings<const P extends Readonly<Record<string, Setting>>>(properties: P) {
  return { type: 'object', properties } as const;
}

export function defaultsOf({ properties }: ConfigurationSchema): Configuration {
  return Object.fromEntries(Object.entries(properties).map(([name, s]) => [name, s.default]));
}

/** All invalid values; settings that are left out have their defaults. */
export function configurationFaults(
  { properties }: ConfigurationSchema,
  given: Readonly<Record<string, unknown>>,
): readonly ConfigurationFault[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) {
      const known = Object.keys(properties).join(', ') || 'no setting';
      return [{ name, detail: `unknown name, expected ${known}` }];
    }
    const setting = properties[name];
    const detail = setting && faultOf(setting, value);
    return detail === undefined ? [] : [{ name, detail: `got ${shown(value)}, ${detail}` }];
  });
}

/** A required setting that is empty. */
export const missingSetting = (
  { properties }: ConfigurationSchema,
  configuration: Configuration,
): string | undefined =>
  Object.keys(properties).find((name) => {
    const setting = properties[name];
    return setting?.type === 'string' && setting.required === true && configuration[name] === '';
  });

/** The given values over the defaults. @throws EngineError invalid-setting naming each that is wrong */
export function parseConfiguration(
  schema: ConfigurationSchema,
  given: Readonly<Record<string, unknown>>,
): Configuration {
  const faults = configurationFaults(schema, given);
  if (faults.length > 0) {
    const text = faults.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
    throw new EngineError('invalid-setting', text);
  }
  // Each value matches its setting.
  return { ...defaultsOf(schema), ...(given as Configuration) };
}

function faultOf(setting: Setting, value: unknown): string | undefined {
  switch (setting.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'expected true or false';
    case 'string':
      return textFault(setting, value);
    default:
      return numberFault(setting, value);
  }
}

function textFault({ enum: choices, maxLength = 1024 }: TextSetting, value: unknown) {
  if (typeof value !== 'string') return 'expected a text';
  if (choices && !choices.includes(value)) return `expected one of ${choices.join(', ')}`;
  return value.length > maxLength ? `expected at most ${maxLength} characters` : undefined;
}

function numberFault(setting: NumberSetting, value: unknown): string | undefined {
  const kind = setting.type === 'integer' ? 'a whole number' : 'a finite number';
  const isRight = setting.type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return isRight(value) && isWithin(setting, value as number)
    ? undefined
    : `expected ${kind}${rangeOf(setting)}`;
}

function isWithin(setting: NumberSetting, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = setting;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = setting;
  return (
    value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum
  );
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberSetting): string {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
  ].filter((bound) => bound !== false);
  return bounds.length > 0 ? ` ${bounds.join(' and ')}` : '';
}

/** A value in a message; JSON has no word for NaN and Infinity. */
function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

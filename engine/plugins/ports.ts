import { EngineError } from '../errors.ts';

/** An array of numbers with its shape, last axis fastest. */
export interface PluginArray {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export type PluginValue =
  | PluginArray
  | number
  | string
  | boolean
  | null
  | readonly PluginValue[]
  | { readonly [name: string]: PluginValue };

/** Values of ports by name. */
export type PluginValues = Readonly<Record<string, PluginValue>>;

/**
 * An input or output of `execute`. The axes of an array are names, such as `['T', 'N']`: an axis has one
 * length in all arrays of a call, so mismatched shapes are detected.
 */
export type Port = { readonly description: string; readonly optional?: boolean } & (
  | {
      readonly kind: 'array';
      readonly axes: readonly string[];
      /** `spikes`: only 0 and 1. `finite` by default. */
      readonly values?: 'spikes' | 'finite';
    }
  | { readonly kind: 'number' | 'text' | 'boolean' | 'json' }
);
export type Ports = Readonly<Record<string, Port>>;

/** The lengths of the axes so far, by their names. */
export type Axes = Map<string, number>;

type ArrayPort = Extract<Port, { kind: 'array' }>;

const MAX_DEPTH = 32;

/**
 * Holds values against ports; `axes` gains the axes it meets.
 *
 * @throws EngineError shape-mismatch or invalid-setting, naming the port and what was expected
 */
export function checkValues(ports: Ports, values: unknown, axes: Axes): PluginValues {
  if (!isRecord(values)) {
    throw new EngineError('invalid-setting', `got ${kindOf(values)}, expected an object of ports`);
  }
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(ports, name)) continue;
    const known = Object.keys(ports).join(', ') || 'nothing';
    throw new EngineError('invalid-setting', `unknown port "${name}", expected ${known}`);
  }
  const checked = Object.entries(ports).flatMap(([name, port]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined && port.optional) return [];
    return [[name, checkValue(name, port, value, axes)] as const];
  });
  return Object.fromEntries(checked);
}

function checkValue(name: string, port: Port, value: unknown, axes: Axes): PluginValue {
  if (port.kind === 'array') return checkArray(name, port, value, axes);
  const isRight =
    port.kind === 'json'
      ? value !== undefined && isJson(value, MAX_DEPTH)
      : port.kind === 'number'
        ? Number.isFinite(value)
        : typeof value === (port.kind === 'text' ? 'string' : 'boolean');
  if (isRight) return value as PluginValue;
  throw new EngineError('invalid-setting', `${name} is ${kindOf(value)}, expected ${port.kind}`);
}

function checkArray(name: string, port: ArrayPort, value: unknown, axes: Axes): PluginArray {
  if (!isPluginArray(value)) {
    throw new EngineError(
      'shape-mismatch',
      `${name} is ${kindOf(value)}, expected an array [${port.axes.join(', ')}]`,
    );
  }
  const { shape, data } = value;
  const fits =
    shape.length === port.axes.length &&
    shape.every((length, i) => agrees(axes, port.axes[i] ?? '', length));
  if (!fits) {
    const expected = port.axes.map((axis) => (axes.has(axis) ? `${axis}=${axes.get(axis)}` : axis));
    throw new EngineError(
      'shape-mismatch',
      `${name} has the shape [${shape.join(', ')}], expected [${expected.join(', ')}]`,
    );
  }
  const isRight =
    port.values === 'spikes'
      ? (x: number) => x === 0 || x === 1
      : (x: number) => Number.isFinite(x);
  const bad = data.findIndex((x) => !isRight(x));
  if (bad >= 0) {
    const expected = port.values === 'spikes' ? '0 or 1' : 'finite numbers';
    throw new EngineError(
      'invalid-setting',
      `${name}[${bad}] is ${data[bad]}, expected ${expected}`,
    );
  }
  return value;
}

/** A known axis has to have the same length; a new one is recorded. */
function agrees(axes: Axes, axis: string, length: number): boolean {
  const known = axes.get(axis);
  if (known === undefined) axes.set(axis, length);
  return known === undefined || known === length;
}

/** Whether a value is an array whose shape and data agree. */
export function isPluginArray(value: unknown): value is PluginArray {
  if (!isRecord(value)) return false;
  const { shape, data } = value;
  if (!Array.isArray(shape) || !(data instanceof Float32Array)) return false;
  const isShape = shape.every((axis) => Number.isSafeInteger(axis) && axis >= 0);
  return (
    isShape && shape.reduce((product: number, axis: number) => product * axis, 1) === data.length
  );
}

/** Numbers as an array of the given shape. @throws EngineError shape-mismatch */
export function arrayOf(shape: readonly number[], numbers: ArrayLike<number>): PluginArray {
  const array = { shape, data: Float32Array.from(numbers) };
  if (isPluginArray(array)) return array;
  throw new EngineError(
    'shape-mismatch',
    `[${shape.join(', ')}] does not hold ${numbers.length} numbers`,
  );
}

function isJson(value: unknown, depth: number): boolean {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (depth === 0) return false;
  if (isPluginArray(value)) return true;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  return isRecord(value) && Object.values(value).every((item) => isJson(item, depth - 1));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object of another form' : `a ${typeof value}`;
}

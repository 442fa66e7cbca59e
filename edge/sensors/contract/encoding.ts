import * as z from 'zod/mini';

/**
 * The spike encoding of a reading. `rate` and `latency` encode each reading in SPIKE_STEPS time
 * steps: the larger it is between `low` and `high`, the more often or the earlier its neuron fires.
 * `delta` has an ON and an OFF neuron, which fire when a reading has moved by `threshold` from the
 * level encoded so far.
 */
export const SensorCode = z.enum(['rate', 'latency', 'delta']);
export type SensorCode = z.infer<typeof SensorCode>;

/** Time steps of a reading in the rate and latency codes; the delta code has one. */
export const SPIKE_STEPS = 16;

const finite = z.number();
const isRange = z.refine<{ readonly low?: number | undefined; readonly high?: number | undefined }>(
  ({ low = -Infinity, high = Infinity }) => low < high,
  'expected low below high',
);

/** Omitted fields default by the type of the sensor. */
export const SensorEncodingInput = z
  .strictObject({
    code: z.optional(SensorCode),
    /** The reading encoded as no spike, or the latest one; lower readings are clipped. */
    low: z.optional(finite),
    /** The reading encoded as a spike in every step, or at once; higher readings are clipped. */
    high: z.optional(finite),
    /** In the unit of the readings. */
    threshold: z.optional(z.number().check(z.gt(0))),
  })
  .check(isRange);
export type SensorEncodingInput = z.infer<typeof SensorEncodingInput>;

export const SensorEncoding = z.object({
  code: SensorCode,
  low: finite,
  high: finite,
  threshold: z.number(),
  /** Time steps of a reading. */
  steps: z.int(),
});
export type SensorEncoding = z.infer<typeof SensorEncoding>;

type Defaults = Omit<SensorEncoding, 'steps'>;

/** The usual encoding of a type, in its usual unit. */
export const SENSOR_TYPES: Readonly<Record<string, Defaults>> = {
  temperature: { code: 'delta', low: -40, high: 85, threshold: 0.5 },
  humidity: { code: 'delta', low: 0, high: 100, threshold: 1 },
  pressure: { code: 'delta', low: 300, high: 1_100, threshold: 0.5 },
  light: { code: 'rate', low: 0, high: 1_000, threshold: 10 },
  sound: { code: 'rate', low: 0, high: 120, threshold: 1 },
  vibration: { code: 'rate', low: 0, high: 20, threshold: 0.2 },
  acceleration: { code: 'delta', low: -20, high: 20, threshold: 0.2 },
  distance: { code: 'latency', low: 0, high: 10, threshold: 0.1 },
  touch: { code: 'latency', low: 0, high: 1, threshold: 0.5 },
  motion: { code: 'rate', low: 0, high: 1, threshold: 0.5 },
  voltage: { code: 'delta', low: 0, high: 5, threshold: 0.05 },
  current: { code: 'delta', low: 0, high: 10, threshold: 0.1 },
};

/** For an unknown type: every change by one is a spike. */
const UNKNOWN: Defaults = { code: 'delta', low: 0, high: 1, threshold: 1 };

/**
 * The encoding of a sensor: the request, completed with the defaults of its type. Undefined where
 * the result has no valid range, or where an unknown type lacks one.
 */
export function encodingFor(
  type: string,
  asked: SensorEncodingInput = {},
): SensorEncoding | undefined {
  const usual = Object.hasOwn(SENSOR_TYPES, type) ? SENSOR_TYPES[type] : undefined;
  const { code, low, high, threshold } = { ...(usual ?? UNKNOWN), ...given(asked) };
  const needsRange = code !== 'delta' && !usual;
  if (needsRange && (asked.low === undefined || asked.high === undefined)) return undefined;
  if (low >= high) return undefined;
  return { code, low, high, threshold, steps: code === 'delta' ? 1 : SPIKE_STEPS };
}

function given(asked: SensorEncodingInput): Partial<Defaults> {
  const { code, low, high, threshold } = asked;
  return {
    ...(code !== undefined && { code }),
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...(threshold !== undefined && { threshold }),
  };
}

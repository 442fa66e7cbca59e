import { expectCount, expectPositive, refuseSetting } from '../../checks.ts';
import type { EventList } from './event-list.ts';

/** The steps of a binning: bins of one width in microseconds, or a number of equal bins. */
type TimeBins =
  /** `steps` equal bins from the first event to the last. */
  | { readonly steps: number; readonly window?: undefined }
  /**
   * Bins of `window` microseconds from the first event on. As many as `steps`, with empty ones at the end or
   * later events left out; as many as the events need if `steps` is left out.
   */
  | { readonly window: number; readonly steps?: number };

/** How events become the numbers `[steps][channels][height][width]`. */
export type BinningRule = TimeBins & {
  /** Two channels, darker first; or both polarities in one channel. `channels` by default. */
  readonly polarity?: 'channels' | 'merged';
  /** The number of events of a bin, or 1 where there is any. `sum` by default. */
  readonly value?: 'sum' | 'binary';
  /** Pixels of the sensor across one of the result; the last ones may be cut. 1 by default. */
  readonly downsample?: number;
};

/** Spikes or counts of one example over time. */
export interface SpikeFrames {
  /** `[steps][channels][height][width]` */
  readonly shape: readonly [steps: number, channels: number, height: number, width: number];
  readonly data: Float32Array;
}

/** Numbers of one binned recording, 1 GiB. */
const MAX_VALUES = 2 ** 28;

/**
 * Counts events in bins of time, polarity and space. A list without events gives zeros. Throws EngineError
 * `invalid-setting` for a rule that is no such, and for one whose result would take more than 2^28 numbers.
 */
export function binEvents(events: EventList, rule: BinningRule): SpikeFrames {
  const shape = binnedShape(events, rule);
  const data = new Float32Array(shape.reduce((product, side) => product * side, 1));
  const { downsample = 1 } = rule;
  const isSum = rule.value !== 'binary';
  const stepOf = createStepOf(events, rule);
  const placeOf = createPlaceOf(shape, downsample);
  const { t, x, y, p } = events;
  for (let i = 0; i < t.length; i++) {
    const step = stepOf(t[i] as number);
    // Times ascend.
    if (step >= shape[0]) break;
    const at = placeOf(step, p[i] as number, y[i] as number, x[i] as number);
    data[at] = isSum ? (data[at] as number) + 1 : 1;
  }
  return { shape, data };
}

/** The shape that `binEvents` gives, without binning. Throws as that does. */
export function binnedShape(events: EventList, rule: BinningRule): SpikeFrames['shape'] {
  checkRule(rule);
  const { downsample = 1 } = rule;
  const shape = [
    rule.steps ?? Math.floor(spanOf(events) / (rule.window ?? 1)) + 1,
    rule.polarity === 'merged' ? 1 : 2,
    Math.ceil(events.height / downsample),
    Math.ceil(events.width / downsample),
  ] as const;
  const values = shape.reduce((product, side) => product * side, 1);
  if (values > MAX_VALUES) {
    refuseSetting(`binEvents: ${shape.join(' x ')} are ${values} numbers, at most ${MAX_VALUES}`);
  }
  return shape;
}

function checkRule({ steps, window, downsample = 1, ...rest }: BinningRule): void {
  if (window !== undefined) expectPositive('binEvents', 'window', window);
  if (steps !== undefined) expectCount('binEvents', 'steps', steps);
  else if (window === undefined) refuseSetting('binEvents: expected `steps`, `window` or both');
  expectCount('binEvents', 'downsample', downsample);
  expectChoice('polarity', rest.polarity, ['channels', 'merged']);
  expectChoice('value', rest.value, ['sum', 'binary']);
}

function expectChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  refuseSetting(`binEvents: ${name} is ${value}: expected ${choices.join(' or ')}`);
}

/** Microseconds from the first event to the last. */
function spanOf({ t }: EventList): number {
  return (t.at(-1) ?? 0) - (t[0] ?? 0);
}

function createStepOf(events: EventList, { window, steps = 1 }: BinningRule) {
  const first = events.t[0] ?? 0;
  if (window !== undefined) return (t: number) => Math.floor((t - first) / window);
  // One microsecond more, so that the last event lies within the last bin.
  const span = spanOf(events) + 1;
  return (t: number) => Math.floor(((t - first) * steps) / span);
}

function createPlaceOf([, channels, height, width]: SpikeFrames['shape'], downsample: number) {
  return (step: number, polarity: number, y: number, x: number) => {
    const channel = channels === 1 ? 0 : polarity;
    const row = Math.floor(y / downsample);
    return ((step * channels + channel) * height + row) * width + Math.floor(x / downsample);
  };
}

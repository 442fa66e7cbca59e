import type { ReadingCodes } from '../../engine/encoding.ts';
import type { SensorEncoding } from './contract/encoding.ts';
import type { ReadingSpikes } from './contract/reading.ts';

/** The state of a delta code: the base level, and the sum of spikes since, in thresholds. */
export interface Level {
  readonly base: number;
  readonly sent: number;
}

/** A reading's spikes as two words: bit t of each is time step t. */
export interface SpikeWords {
  readonly on: number;
  readonly off: number;
}

export interface Encoded {
  readonly spikes: readonly SpikeWords[];
  readonly level: Level;
}

/** The encoder state of a sensor. */
interface EncodingState {
  readonly encoding: SensorEncoding;
  /** Undefined before the first reading, which becomes the base level. */
  readonly level: Level | undefined;
  /** Different for every reading of every sensor, to seed the rate code. */
  readonly draw: number;
}

/** Encodes consecutive readings as spikes. */
export async function encodeReadings(
  codes: ReadingCodes,
  { encoding, level, draw }: EncodingState,
  values: readonly number[],
): Promise<Encoded> {
  const from = level ?? { base: values[0] ?? 0, sent: 0 };
  const { code, low, high, threshold } = encoding;
  if (code === 'delta') {
    const start = from.base + from.sent * threshold;
    const sent = await codes.delta(values.map((value) => (value - start) / threshold));
    return {
      spikes: Array.from(sent, (change) => ({ on: Number(change > 0), off: Number(change < 0) })),
      level: { ...from, sent: sent.reduce((sum, change) => sum + change, from.sent) },
    };
  }
  const intensities = values.map((value) => intensityOf(value, low, high));
  const fired =
    code === 'rate' ? await codes.rate(intensities, draw) : await codes.latency(intensities);
  return { spikes: Array.from(fired, (on) => ({ on, off: 0 })), level: from };
}

/** The position of a reading within its range, in [0, 1], even where the range overflows. */
function intensityOf(value: number, low: number, high: number): number {
  if (value <= low) return 0;
  if (value >= high) return 1;
  const share = (value / 2 - low / 2) / (high / 2 - low / 2);
  return Math.min(1, Math.max(0, share));
}

/** The indexes of the set bits. */
const stepsOf = (word: number): number[] =>
  Array.from({ length: 32 }, (_, t) => t).filter((t) => (word >>> t) & 1);

export const spikesOf = ({ on, off }: SpikeWords): ReadingSpikes => ({
  on: stepsOf(on),
  off: stepsOf(off),
});

/** The number of set bits. */
export function countSpikes({ on, off }: SpikeWords): number {
  return stepsOf(on).length + stepsOf(off).length;
}

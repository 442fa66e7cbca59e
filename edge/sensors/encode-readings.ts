import type { ReadingCodes } from '../../engine/encoding.ts';
import type { SensorEncoding } from './contract/encoding.ts';
import type { ReadingSpikes } from './contract/reading.ts';

/** What the spikes of a delta code add up to: so many thresholds above where it began. */
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

/** Where a sensor's readings go on. */
export interface EncodingState {
  readonly encoding: SensorEncoding;
  /** None before the first reading, which the level then begins with. */
  readonly level: Level | undefined;
  /** Different for every reading of every sensor, so that the draws of the rate code are. */
  readonly draw: number;
}

/** The spikes of readings that follow each other. */
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

/** Where a reading lies between two others, in [0, 1]; also where their distance is no number any more. */
function intensityOf(value: number, low: number, high: number): number {
  if (value <= low) return 0;
  if (value >= high) return 1;
  const share = (value / 2 - low / 2) / (high / 2 - low / 2);
  return Math.min(1, Math.max(0, share));
}

/** The steps of the bits that are set. */
const stepsOf = (word: number): number[] =>
  Array.from({ length: 32 }, (_, t) => t).filter((t) => (word >>> t) & 1);

export const spikesOf = ({ on, off }: SpikeWords): ReadingSpikes => ({
  on: stepsOf(on),
  off: stepsOf(off),
});

/** How many bits are set. */
export function countSpikes({ on, off }: SpikeWords): number {
  return stepsOf(on).length + stepsOf(off).length;
}

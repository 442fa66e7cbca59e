import type { Backend } from '../graph/backend.ts';
import { type Code, type Codec, openCodec } from './codec.ts';

/** Readings that are encoded together. */
const CHUNK = 64;
/** Neurons in a word of packed spikes. */
const WORD_BITS = 32;
/** Clamp of changes, which are followed by one threshold per step anyway. */
const FARTHEST = 1e6;

export interface ReadingCodesOptions {
  /** Time steps of a reading in the rate and the latency code; at most 32, as a reading is one word. */
  readonly steps: number;
}

/** Encodes readings of a sensor as spikes. All backends give the same spikes, so they need not be stored. */
export interface ReadingCodes {
  /** Bit t of a reading's word is its spike in step t. Intensities lie in [0, 1]; `draw` selects the draws. */
  rate(intensities: readonly number[], draw: number): Promise<Uint32Array>;
  /** As `rate`: one bit at most. */
  latency(intensities: readonly number[]): Promise<Uint32Array>;
  /**
   * Send on delta from level 0, of numbers in units of the threshold: 1 for ON, -1 for OFF, 0 for neither.
   * Each spike moves the level.
   */
  delta(signal: readonly number[]): Promise<Int8Array>;
  close(): void;
}

/** Prepares the three codes. Throws EngineError `invalid-setting` for steps that make no sense. */
export async function openReadingCodes(
  backend: Backend,
  { steps }: ReadingCodesOptions,
): Promise<ReadingCodes> {
  const windows = { steps, rows: 1, width: CHUNK };
  const latencyCode: Code = { kind: 'latency', curve: 'linear' };
  const deltaCode: Code = { kind: 'delta', threshold: 1, from: 'level' };
  const rate = await openCodec(backend, { kind: 'rate', seed: 1 }, windows);
  const latency = await openCodec(backend, latencyCode, windows);
  const delta = await openCodec(backend, deltaCode, { steps: CHUNK, rows: 1, width: 1 });
  return {
    rate: (intensities, draw) =>
      encodeWindows(intensities, (values, first) => rate.encode(values, (draw + first) >>> 0)),
    latency: (intensities) => encodeWindows(intensities, (values) => latency.encode(values)),
    delta: (signal) => encodeChanges(delta, signal),
    close() {
      for (const codec of [rate, latency, delta]) codec.close();
    },
  };
}

type EncodeChunk = (values: Float32Array, first: number) => Promise<Uint32Array>;

async function encodeWindows(
  intensities: readonly number[],
  encode: EncodeChunk,
): Promise<Uint32Array> {
  const fired = new Uint32Array(intensities.length);
  for (let first = 0; first < intensities.length; first += CHUNK) {
    const values = new Float32Array(CHUNK);
    values.set(intensities.slice(first, first + CHUNK));
    turnOver(await encode(values, first), fired.subarray(first, first + CHUNK));
  }
  return fired;
}

/** From a bit for each reading, step by step, to a word for each reading. */
function turnOver(packed: Uint32Array, fired: Uint32Array): void {
  const words = CHUNK / WORD_BITS;
  for (let i = 0; i < fired.length; i++) {
    const [word, bit] = [Math.floor(i / WORD_BITS), i % WORD_BITS];
    for (let t = 0; t * words < packed.length; t++) {
      const isOn = ((packed[t * words + word] ?? 0) >>> bit) & 1;
      fired[i] = (fired[i] ?? 0) | (isOn << t);
    }
  }
}

async function encodeChanges(delta: Codec, signal: readonly number[]): Promise<Int8Array> {
  const sent = new Int8Array(signal.length);
  let level = 0;
  for (let first = 0; first < signal.length; first += CHUNK) {
    const chunk = signal.slice(first, first + CHUNK);
    const values = new Float32Array(CHUNK);
    // Relative to the level at the start of the chunk; the padding of the last chunk is ignored.
    values.set(chunk.map((value) => Math.min(FARTHEST, Math.max(-FARTHEST, value - level))));
    const words = await delta.encode(values);
    for (let i = 0; i < chunk.length; i++) {
      const change = ((words[i] ?? 0) & 1) - (((words[i] ?? 0) >>> 1) & 1);
      sent[first + i] = change;
      level += change;
    }
  }
  return sent;
}

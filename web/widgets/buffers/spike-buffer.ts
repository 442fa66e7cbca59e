import { createSignal, positiveInteger, type Source } from './signal.ts';

/**
 * The spikes of one layer in its newest `capacity` time steps, one bit a neuron and step.
 *
 * Layout     [step][word] u32, neuron n in bit n % 32 (least significant first) of word floor(n / 32):
 *            the engine's own, so a step is copied in as it comes out of a kernel.
 */
export interface SpikeBuffer extends Source {
  readonly neurons: number;
  readonly capacity: number;
  /** ceil(neurons / 32) */
  readonly wordsPerStep: number;
  /** Steps pushed since the start or the last `clear`; the newest has the number `steps - 1`. */
  readonly steps: number;
  /** The number of the oldest step still held. */
  readonly oldest: number;
  /** How often the buffer was cleared: step numbers start again with each. */
  readonly generation: number;
  /** Copies one step in. Bits past the last neuron must be 0. */
  push(words: Uint32Array): void;
  /** The words of one step from `oldest` to `steps - 1`: a view, valid until that step is overwritten. */
  step(step: number): Uint32Array;
  clear(): void;
}

export function createSpikeBuffer(neurons: number, capacity: number): SpikeBuffer {
  positiveInteger('neurons', neurons);
  positiveInteger('capacity', capacity);
  const wordsPerStep = Math.ceil(neurons / 32);
  const bits = new Uint32Array(capacity * wordsPerStep);
  const signal = createSignal();
  let steps = 0;
  let version = 0;
  let generation = 0;
  const oldest = () => Math.max(0, steps - capacity);

  return {
    neurons,
    capacity,
    wordsPerStep,
    get steps() {
      return steps;
    },
    get oldest() {
      return oldest();
    },
    get version() {
      return version;
    },
    get generation() {
      return generation;
    },
    subscribe: signal.subscribe,
    push(words) {
      if (words.length !== wordsPerStep) {
        throw new RangeError(
          `a step of ${neurons} neurons has ${wordsPerStep} words, not ${words.length}`,
        );
      }
      bits.set(words, (steps % capacity) * wordsPerStep);
      steps++;
      version++;
      signal.emit();
    },
    step(step) {
      if (step < oldest() || step >= steps) {
        throw new RangeError(`step ${step} is not held: ${oldest()} to ${steps - 1} are`);
      }
      const start = (step % capacity) * wordsPerStep;
      return bits.subarray(start, start + wordsPerStep);
    },
    clear() {
      steps = 0;
      generation++;
      version++;
      signal.emit();
    },
  };
}

/** A stretch of steps, `to` not included. */
export interface StepRange {
  readonly from: number;
  readonly to: number;
}

/** The newest steps that are held, at most `count` of them. */
export function newestSteps(buffer: SpikeBuffer, count: number): StepRange {
  return { from: Math.max(buffer.oldest, buffer.steps - count), to: buffer.steps };
}

/** How often each neuron fired within `range`. */
export function spikeCounts(buffer: SpikeBuffer, range: StepRange): Uint32Array {
  const counts = new Uint32Array(buffer.neurons);
  for (let step = range.from; step < range.to; step++) {
    const words = buffer.step(step);
    for (let word = 0; word < words.length; word++) {
      // Only set bits are visited: layers are silent most of the time.
      for (let left = words[word] ?? 0; left !== 0; left &= left - 1) {
        const neuron = word * 32 + (31 - Math.clz32(left & -left));
        counts[neuron] = (counts[neuron] ?? 0) + 1;
      }
    }
  }
  return counts;
}

/** Each neuron's spikes per step within `range`, 0 to 1; all 0 for an empty range. */
export function firingRates(buffer: SpikeBuffer, range: StepRange): Float32Array {
  const steps = Math.max(1, range.to - range.from);
  return Float32Array.from(spikeCounts(buffer, range), (count) => count / steps);
}

/** Packs one 0 or 1 a neuron into words as a `SpikeBuffer` takes them. */
export function packSpikes(spikes: ArrayLike<number | boolean>): Uint32Array {
  const words = new Uint32Array(Math.ceil(spikes.length / 32));
  for (let neuron = 0; neuron < spikes.length; neuron++) {
    if (spikes[neuron]) words[neuron >>> 5] = (words[neuron >>> 5] ?? 0) | (1 << (neuron & 31));
  }
  return words;
}

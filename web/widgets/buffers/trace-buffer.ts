import { createSignal, positiveInteger, type Source } from './signal.ts';

/** The membrane potentials of a few neurons, and where they fired, in the newest `capacity` steps. */
export interface TraceBuffer extends Source {
  readonly neurons: number;
  readonly capacity: number;
  /** Steps held now, at most `capacity`. */
  readonly length: number;
  /** Steps pushed since the start or the last `clear`; the newest has the number `steps - 1`. */
  readonly steps: number;
  /** The number of the oldest step still held. */
  readonly oldest: number;
  /**
   * Adds one step.
   * @param potentials [neurons], just before the reset, in units of the caller
   * @param fired [neurons], not 0 where the neuron fired in this step
   */
  push(potentials: ArrayLike<number>, fired: ArrayLike<number>): void;
  /** One neuron's potentials, oldest first: a view, valid until the next `push`. */
  potentials(neuron: number): Float32Array;
  /** One neuron's spikes as 0 and 1, oldest first: a view, valid until the next `push`. */
  fired(neuron: number): Uint8Array;
  clear(): void;
}

export function createTraceBuffer(neurons: number, capacity: number): TraceBuffer {
  positiveInteger('neurons', neurons);
  positiveInteger('capacity', capacity);
  // Written twice, `capacity` apart, so that the newest steps always lie in one piece.
  const stride = 2 * capacity;
  const potentials = new Float32Array(neurons * stride);
  const fired = new Uint8Array(neurons * stride);
  const signal = createSignal();
  let steps = 0;
  let version = 0;

  function windowOf<A extends Float32Array | Uint8Array>(data: A, neuron: number): A {
    if (!(neuron >= 0 && neuron < neurons)) {
      throw new RangeError(`neuron ${neuron} is not one of 0 to ${neurons - 1}`);
    }
    const start = neuron * stride + (steps < capacity ? 0 : steps % capacity);
    // subarray of an A is an A; its declaration does not say so for a union.
    return data.subarray(start, start + Math.min(steps, capacity)) as A;
  }

  return {
    neurons,
    capacity,
    get length() {
      return Math.min(steps, capacity);
    },
    get steps() {
      return steps;
    },
    get oldest() {
      return Math.max(0, steps - capacity);
    },
    get version() {
      return version;
    },
    subscribe: signal.subscribe,
    push(nextPotentials, nextFired) {
      if (nextPotentials.length !== neurons || nextFired.length !== neurons) {
        throw new RangeError(
          `a step holds ${nextPotentials.length} potentials and ${nextFired.length} spikes, expected ${neurons}`,
        );
      }
      const slot = steps % capacity;
      for (let neuron = 0; neuron < neurons; neuron++) {
        const first = neuron * stride + slot;
        const value = nextPotentials[neuron] ?? Number.NaN;
        const spike = nextFired[neuron] ? 1 : 0;
        potentials[first] = potentials[first + capacity] = value;
        fired[first] = fired[first + capacity] = spike;
      }
      steps++;
      version++;
      signal.emit();
    },
    potentials: (neuron) => windowOf(potentials, neuron),
    fired: (neuron) => windowOf(fired, neuron),
    clear() {
      steps = 0;
      version++;
      signal.emit();
    },
  };
}

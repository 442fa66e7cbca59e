import type { History } from './record.ts';

/** Spikes in the order of steps, and of neurons within a step. */
export interface SpikeEvents {
  readonly step: Uint32Array;
  readonly neuron: Uint32Array;
}

/** A state of chosen neurons in every step: values [steps][neurons]. */
export interface StateTrace {
  readonly neurons: Uint32Array;
  readonly values: Float32Array;
}

/** What recorders kept of steps in a row, by their names. */
export interface Recording {
  readonly firstStep: number;
  readonly steps: number;
  readonly spikes: ReadonlyMap<string, SpikeEvents>;
  readonly states: ReadonlyMap<string, StateTrace>;
  /** Spikes of the whole population in each step. */
  readonly rates: ReadonlyMap<string, Uint32Array>;
  /** R of the phases before each step. */
  readonly synchrony: ReadonlyMap<string, Float32Array>;
}

/** Lines of a history of which some were written. */
export interface Lines {
  readonly history: History;
  readonly data: Float32Array | Uint32Array;
  readonly capacity: number;
  readonly firstStep: number;
  readonly steps: number;
}

/** Takes recordings apart by recorder and puts those of one after another together. */
export function createCollector(histories: readonly History[], firstStep: number) {
  let steps = 0;
  const parts = new Map(histories.map(({ name }) => [name, [] as (Float32Array | Uint32Array)[]]));
  const events = new Map<string, SpikeEvents[]>();
  const numbers = (name: string) => joinParts(parts.get(name) ?? [], Float32Array);
  return {
    add(lines: Lines): void {
      const { name, kind } = lines.history;
      if (kind === 'spikes') events.set(name, [...(events.get(name) ?? []), eventsOf(lines)]);
      else parts.get(name)?.push(inOrder(lines));
    },
    advance(count: number): void {
      steps += count;
    },
    finish(): Recording {
      const ofKind = (kind: History['kind']) => namesOf(histories, kind);
      const traces = histories.filter(({ kind }) => kind === 'state');
      return {
        firstStep,
        steps,
        spikes: new Map(ofKind('spikes').map((name) => [name, joinEvents(events.get(name) ?? [])])),
        states: new Map(
          traces.map(({ name, neurons }) => [name, { neurons, values: numbers(name) }]),
        ),
        rates: new Map(
          ofKind('rate').map((name) => [name, joinParts(parts.get(name) ?? [], Uint32Array)]),
        ),
        synchrony: new Map(ofKind('synchrony').map((name) => [name, lengthsOf(numbers(name))])),
      };
    },
  };
}

function namesOf(histories: readonly History[], kind: History['kind']): readonly string[] {
  return histories.filter((history) => history.kind === kind).map(({ name }) => name);
}

/** Lengths of vectors that lie as pairs. */
function lengthsOf(pairs: Float32Array): Float32Array {
  return Float32Array.from({ length: pairs.length / 2 }, (_, i) =>
    Math.hypot(pairs[2 * i] ?? 0, pairs[2 * i + 1] ?? 0),
  );
}

/** The written lines from the oldest on. */
function inOrder({ history, data, capacity, firstStep, steps }: Lines): Float32Array | Uint32Array {
  const from = (firstStep % capacity) * history.words;
  const end = from + steps * history.words;
  const ordered = data.slice(0, steps * history.words);
  ordered.set(data.subarray(from, Math.min(end, data.length)));
  if (end > data.length) ordered.set(data.subarray(0, end - data.length), data.length - from);
  return ordered;
}

/** Unpacks bits of [steps][neurons]. */
function eventsOf(lines: Lines): SpikeEvents {
  const { words } = lines.history;
  const bits = inOrder(lines);
  let total = 0;
  for (let i = 0; i < bits.length; i++) total += bitsOf(bits[i] ?? 0);
  const [step, neuron] = [new Uint32Array(total), new Uint32Array(total)];
  for (let i = 0, at = 0; i < bits.length; i++) {
    for (let left = bits[i] ?? 0; left !== 0; left &= left - 1) {
      step[at] = lines.firstStep + Math.floor(i / words);
      neuron[at++] = (i % words) * 32 + (31 - Math.clz32(left & -left));
    }
  }
  return { step, neuron };
}

function bitsOf(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}

function joinEvents(events: readonly SpikeEvents[]): SpikeEvents {
  return {
    step: joinParts(
      events.map(({ step }) => step),
      Uint32Array,
    ),
    neuron: joinParts(
      events.map(({ neuron }) => neuron),
      Uint32Array,
    ),
  };
}

function joinParts<A extends Float32Array | Uint32Array>(
  parts: readonly (Float32Array | Uint32Array)[],
  Kind: new (length: number) => A,
): A {
  const joined = new Kind(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

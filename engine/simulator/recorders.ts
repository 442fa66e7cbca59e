import { simulatorKernels } from '../kernels/simulator.ts';
import { EngineError } from '../errors.ts';
import { FIELD_CONSTANTS } from '../kernels/neuron-model.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { recorderName, type RecorderSpec } from './description.ts';
import type { Network, Population } from './network.ts';
import type { Tracing } from './tracing.ts';

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

/** Recorded data of consecutive steps, by recorder. */
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
interface RecordedLines {
  readonly history: History;
  readonly data: Float32Array | Uint32Array;
  readonly capacity: number;
  readonly firstStep: number;
  readonly steps: number;
}

/** Sorts recorded lines by recorder and concatenates those of consecutive reads. */
export function createCollector(histories: readonly History[], firstStep: number) {
  let steps = 0;
  const parts = new Map(histories.map(({ name }) => [name, [] as (Float32Array | Uint32Array)[]]));
  const events = new Map<string, SpikeEvents[]>();
  const numbers = (name: string) => joinParts(parts.get(name) ?? [], Float32Array);
  return {
    add(lines: RecordedLines): void {
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

/** Norms of two-dimensional vectors. */
function lengthsOf(pairs: Float32Array): Float32Array {
  return Float32Array.from({ length: pairs.length / 2 }, (_, i) =>
    Math.hypot(pairs[2 * i] ?? 0, pairs[2 * i + 1] ?? 0),
  );
}

/** The written lines from the oldest on. */
function inOrder({
  history,
  data,
  capacity,
  firstStep,
  steps,
}: RecordedLines): Float32Array | Uint32Array {
  const from = (firstStep % capacity) * history.words;
  const end = from + steps * history.words;
  const ordered = data.slice(0, steps * history.words);
  ordered.set(data.subarray(from, Math.min(end, data.length)));
  if (end > data.length) ordered.set(data.subarray(0, end - data.length), data.length - from);
  return ordered;
}

/** Unpacks bits of [steps][neurons]. */
function eventsOf(lines: RecordedLines): SpikeEvents {
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

/** The buffer of a recorder on the device until it is read: step t is in line t % capacity. */
export interface History {
  readonly name: string;
  readonly kind: RecorderSpec['kind'];
  readonly tensor: Tensor;
  /** Words of a line. */
  readonly words: number;
  /** Neurons in the order of a line, where a line has a word for each. */
  readonly neurons: Uint32Array;
}

export function recordHistories(
  tracing: Tracing,
  { description, populations }: Network,
  capacity: number,
): readonly History[] {
  return (description.recorders ?? []).map((recorder) => {
    const population = populations.find(({ spec }) => spec.name === recorder.of);
    if (population) return recordHistory(tracing, recorder, { population, capacity });
    throw new EngineError('invalid-setting', `there is no population named ${recorder.of}`);
  });
}

interface Recorded {
  readonly population: Population;
  readonly capacity: number;
}

function recordHistory(tracing: Tracing, recorder: RecorderSpec, recorded: Recorded): History {
  const { graph, clock, find, persistent } = tracing;
  const { population, capacity } = recorded;
  const { count } = population.spec;
  const { kind } = recorder;
  if (recorder.kind === 'state') return recordState(tracing, recorder, recorded);
  if (recorder.kind === 'synchrony') return recordField(tracing, recorder, recorded);
  const name = recorderName(recorder);
  const spikes = find(`${recorder.of}.spikes`);
  const neurons = new Uint32Array();
  if (kind === 'rate') {
    const counts = persistent(`${name} history`, 'u32', [capacity]);
    graph.call(simulatorKernels.count_spikes, { clock, spikes, counts }, { count, capacity });
    return { name, kind, tensor: counts, words: 1, neurons };
  }
  const history = persistent(`${name} history`, 'bits', [capacity, count]);
  graph.call(simulatorKernels.record_spikes, { clock, spikes, history }, { count, capacity });
  return { name, kind, tensor: history, words: wordsPerRow(count), neurons };
}

/** The mean cosine and sine are the last constants. */
function recordField(
  { graph, clock, find, persistent }: Tracing,
  recorder: RecorderSpec,
  { population, capacity }: Recorded,
): History {
  const name = recorderName(recorder);
  const neurons = population.neurons?.constantCount ?? 0;
  const count = FIELD_CONSTANTS;
  const chosen = Uint32Array.of(neurons - 2, neurons - 1);
  const operands = {
    clock,
    states: find(`${recorder.of}.constants`),
    chosen: persistent(`${name} chosen`, 'u32', [count], chosen),
    history: persistent(`${name} history`, 'f32', [capacity, count]),
  };
  graph.call(simulatorKernels.record_state, operands, { count, capacity, neurons, row: 0 });
  return { name, kind: 'synchrony', tensor: operands.history, words: count, neurons: chosen };
}

function recordState(
  { graph, clock, find, persistent }: Tracing,
  recorder: Extract<RecorderSpec, { kind: 'state' }>,
  { population, capacity }: Recorded,
): History {
  const name = recorderName(recorder);
  const all = population.spec.count;
  const neurons = recorder.neurons
    ? Uint32Array.from(recorder.neurons)
    : Uint32Array.from({ length: all }, (_, i) => i);
  const count = neurons.length;
  const rows = population.neurons?.model.states ?? [];
  const row = rows.findIndex((state) => state.name === recorder.state);
  const operands = {
    clock,
    states: find(`${recorder.of}.states`),
    chosen: persistent(`${name} chosen`, 'u32', [count], neurons),
    history: persistent(`${name} history`, 'f32', [capacity, count]),
  };
  graph.call(simulatorKernels.record_state, operands, { count, capacity, neurons: all, row });
  return { name, kind: 'state', tensor: operands.history, words: count, neurons };
}

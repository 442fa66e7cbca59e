import { kernels } from '../kernels/kernels.ts';
import { EngineError } from '../errors.ts';
import { FIELD_CONSTANTS } from '../kernels/neuron-model.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { recorderName, type RecorderSpec } from './description.ts';
import type { Network, Population } from './network.ts';
import type { Tracing } from './tracing.ts';

/** What a recorder keeps on the device until it is read: lines of steps, step t in line t % capacity. */
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
  const { graph, clock, find, lasting } = tracing;
  const { population, capacity } = recorded;
  const { count } = population.spec;
  const { kind } = recorder;
  if (recorder.kind === 'state') return recordState(tracing, recorder, recorded);
  if (recorder.kind === 'synchrony') return recordField(tracing, recorder, recorded);
  const name = recorderName(recorder);
  const spikes = find(`${recorder.of}.spikes`);
  const neurons = new Uint32Array();
  if (kind === 'rate') {
    const counts = lasting(`${name} history`, 'u32', [capacity]);
    graph.call(kernels.count_spikes, { clock, spikes, counts }, { count, capacity });
    return { name, kind, tensor: counts, words: 1, neurons };
  }
  const history = lasting(`${name} history`, 'bits', [capacity, count]);
  graph.call(kernels.record_spikes, { clock, spikes, history }, { count, capacity });
  return { name, kind, tensor: history, words: wordsPerRow(count), neurons };
}

/** The means of cosine and sine, which are the last constants. */
function recordField(
  { graph, clock, find, lasting }: Tracing,
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
    chosen: lasting(`${name} chosen`, 'u32', [count], chosen),
    history: lasting(`${name} history`, 'f32', [capacity, count]),
  };
  graph.call(kernels.record_state, operands, { count, capacity, neurons, row: 0 });
  return { name, kind: 'synchrony', tensor: operands.history, words: count, neurons: chosen };
}

function recordState(
  { graph, clock, find, lasting }: Tracing,
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
    chosen: lasting(`${name} chosen`, 'u32', [count], neurons),
    history: lasting(`${name} history`, 'f32', [capacity, count]),
  };
  graph.call(kernels.record_state, operands, { count, capacity, neurons: all, row });
  return { name, kind: 'state', tensor: operands.history, words: count, neurons };
}

import { createStore } from 'zustand/vanilla';
import { createSeriesBuffer } from '../widgets/buffers/series-buffer.ts';
import { createSpikeBuffer, type SpikeBuffer } from '../widgets/buffers/spike-buffer.ts';
import { createTraceBuffer, type TraceBuffer } from '../widgets/buffers/trace-buffer.ts';
import type { LabEvent, ObservationFacts } from './protocol.ts';

/** Reports come ten times a second at most: these are hours. */
const CURVE_ROWS = 100_000;
/** The newest two minutes or so. */
const SPEED_ROWS = 1_200;

/** One layer as it was last seen. Another object only when its size or its neurons change. */
export interface LayerView {
  readonly layer: string;
  /** A column a character and time step. */
  readonly spikes: SpikeBuffer;
  readonly threshold: number;
  /** The neurons whose membranes are drawn, and the buffer they are drawn from. */
  readonly neurons: readonly number[];
  readonly traces: TraceBuffer | null;
}

/** Data sources of the charts. Rows and columns are pushed here and drawn on the next frame, without React. */
export function createLiveData() {
  /** Training and validation loss. */
  const curves = createSeriesBuffer(2, CURVE_ROWS);
  /** Of classifiers, at each validation. */
  const accuracy = createSeriesBuffer(1, CURVE_ROWS);
  const speed = createSeriesBuffer(1, SPEED_ROWS);
  const view = createStore<{ readonly current: LayerView | null }>(() => ({ current: null }));

  function show(observation: ObservationFacts) {
    const next = viewFor(view.getState().current, observation);
    fillSpikes(next.spikes, observation);
    if (next.traces) fillTraces(next.traces, observation);
    if (next !== view.getState().current) view.setState({ current: next });
  }

  return {
    curves,
    accuracy,
    speed,
    view,
    take(event: LabEvent) {
      switch (event.kind) {
        case 'progress': {
          const { step, loss, tokensPerSecond } = event.progress;
          if (!Number.isFinite(loss)) return;
          curves.push(step, [loss, Number.NaN]);
          speed.push(step, [tokensPerSecond]);
          return;
        }
        case 'validated': {
          const { step, loss, figures } = event.validation;
          curves.push(step, [Number.NaN, loss]);
          const { accuracy: share } = figures;
          if (share !== undefined) accuracy.push(step, [share]);
          return;
        }
        case 'observed':
          show(event.observation);
      }
    },
    /** Forgets everything after a step: the run goes on from there, and comes by again. */
    goBack(step: number) {
      curves.dropAfter(step);
      accuracy.dropAfter(step);
      speed.dropAfter(step);
    },
    clear() {
      curves.clear();
      accuracy.clear();
      speed.clear();
      view.setState({ current: null });
    },
  };
}

export type LiveData = ReturnType<typeof createLiveData>;

function viewFor(current: LayerView | null, observation: ObservationFacts): LayerView {
  const { layer, neurons, times, threshold, membranes } = observation;
  const drawn = membranes.map(({ neuron }) => neuron);
  const isSame =
    current?.layer === layer &&
    current.spikes.neurons === neurons &&
    current.spikes.capacity === times;
  if (isSame && current.neurons.join() === drawn.join()) return current;
  return {
    layer,
    threshold,
    neurons: drawn,
    spikes: isSame ? current.spikes : createSpikeBuffer(neurons, times),
    traces: drawn.length > 0 ? createTraceBuffer(drawn.length, times) : null,
  };
}

function fillSpikes(buffer: SpikeBuffer, { spikes, times }: ObservationFacts): void {
  buffer.clear();
  const words = buffer.wordsPerStep;
  for (let time = 0; time < times; time++) {
    buffer.push(spikes.subarray(time * words, (time + 1) * words));
  }
}

function fillTraces(buffer: TraceBuffer, observation: ObservationFacts): void {
  const { spikes, times, neurons, membranes } = observation;
  const words = Math.ceil(neurons / 32);
  buffer.clear();
  for (let time = 0; time < times; time++) {
    const fired = membranes.map(
      ({ neuron }) => ((spikes[time * words + (neuron >>> 5)] ?? 0) >>> (neuron & 31)) & 1,
    );
    buffer.push(
      membranes.map(({ values }) => values[time] ?? Number.NaN),
      fired,
    );
  }
}

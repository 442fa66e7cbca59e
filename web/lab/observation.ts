import { createStore } from 'zustand/vanilla';
import { newestSteps, spikeCounts } from '../widgets/buffers/spike-buffer.ts';
import type { LiveData } from './live-data.ts';
import type { ObservationFacts } from './protocol.ts';
import type { RunState } from './run-machine.ts';
import type { Session } from './session.ts';

/** Maximum number of plotted membranes: more would be indistinguishable. */
const MAX_NEURONS = 4;

/** Number of neurons plotted by default. */
const FIRST_NEURONS = 3;

export interface ObservationState {
  /** Empty while no run was opened. */
  readonly layer: string;
  /** Neurons with plotted membranes; null until the first observation of the layer. */
  readonly neurons: readonly number[] | null;
}

/** Selection of the observed layer and neurons. */
export function createObservation(session: Pick<Session, 'command'>, live: LiveData) {
  const store = createStore<ObservationState>(() => ({ layer: '', neurons: null }));
  let page: 'visible' | 'hidden' = 'visible';

  function send() {
    const { layer, neurons } = store.getState();
    if (layer === '') return;
    session.command({ kind: 'watch', layer, neurons: neurons ?? [], page });
  }

  function look(next: Partial<ObservationState>) {
    store.setState(next);
    send();
  }

  return {
    store,
    chooseLayer: (layer: string) => look({ layer, neurons: null }),
    /** Draws a neuron's membrane, in place of the oldest where there are many; or no more, if it was drawn. */
    toggleNeuron(neuron: number) {
      const neurons = store.getState().neurons ?? [];
      const others = neurons.filter((drawn) => drawn !== neuron);
      look({
        neurons: others.length < neurons.length ? others : [...others, neuron].slice(-MAX_NEURONS),
      });
    },
    /** Nothing is computed for a hidden page. */
    setPage(state: 'visible' | 'hidden') {
      if (page === state) return;
      page = state;
      send();
    },
    /** Keeps to a layer that the run has. */
    follow(run: RunState) {
      if (run.status !== 'ready') return;
      const { layers } = run.run;
      const { layer, neurons } = store.getState();
      const isThere = layers.includes(layer);
      look({ layer: isThere ? layer : firstOf(layers), neurons: isThere ? neurons : null });
    },
    /** Whether an observation is of the selected layer and not of the previous one. */
    accepts: ({ layer }: ObservationFacts) => layer === store.getState().layer,
    /** The first observation of a layer selects the neurons to plot. */
    seen() {
      if (store.getState().neurons === null) look({ neurons: liveliest(live) });
    },
  };
}

export type Observation = ReturnType<typeof createObservation>;

/** The first layer that mixes characters: it has more to show than what only reads them. */
function firstOf(layers: readonly string[]): string {
  return layers.find((layer) => layer.endsWith('.qkv')) ?? layers[0] ?? '';
}

/** The neurons that fired most in what was seen last, in their order. */
function liveliest(live: LiveData): number[] {
  const spikes = live.view.getState().current?.spikes;
  if (!spikes) return [];
  const counts = spikeCounts(spikes, newestSteps(spikes, spikes.capacity));
  const byCount = Array.from(counts.keys()).toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return byCount.slice(0, FIRST_NEURONS).toSorted((a, b) => a - b);
}

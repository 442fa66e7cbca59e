import { createStore } from 'zustand/vanilla';
import { newestSteps, spikeCounts } from '../widgets/buffers/spike-buffer.ts';
import type { LiveData } from './live-data.ts';
import type { ObservationFacts } from './protocol.ts';
import type { RunState } from './run-machine.ts';
import type { Session } from './session.ts';

/** Membranes drawn at once: more could not be told apart. */
const MOST_NEURONS = 4;

/** How many are drawn before somebody has chosen. */
const FIRST_NEURONS = 3;

export interface LookingState {
  /** Empty while no run was opened. */
  readonly layer: string;
  /** Those whose membranes are drawn; null until the layer was seen for the first time. */
  readonly neurons: readonly number[] | null;
}

/** Which layer and which of its neurons are looked at. */
export function createLooking(session: Pick<Session, 'command'>, live: LiveData) {
  const store = createStore<LookingState>(() => ({ layer: '', neurons: null }));
  let page: 'visible' | 'hidden' = 'visible';

  function tell() {
    const { layer, neurons } = store.getState();
    if (layer === '') return;
    session.command({ kind: 'watch', layer, neurons: neurons ?? [], page });
  }

  function look(next: Partial<LookingState>) {
    store.setState(next);
    tell();
  }

  return {
    store,
    chooseLayer: (layer: string) => look({ layer, neurons: null }),
    /** Draws a neuron's membrane, in place of the oldest where there are many; or no more, if it was drawn. */
    toggleNeuron(neuron: number) {
      const neurons = store.getState().neurons ?? [];
      const others = neurons.filter((drawn) => drawn !== neuron);
      look({
        neurons: others.length < neurons.length ? others : [...others, neuron].slice(-MOST_NEURONS),
      });
    },
    /** Nothing is computed for a page that nobody sees. */
    setPage(state: 'visible' | 'hidden') {
      if (page === state) return;
      page = state;
      tell();
    },
    /** Keeps to a layer that the run has. */
    follow(run: RunState) {
      if (run.status !== 'ready') return;
      const { layers } = run.run;
      const { layer, neurons } = store.getState();
      const isThere = layers.includes(layer);
      look({ layer: isThere ? layer : firstOf(layers), neurons: isThere ? neurons : null });
    },
    /** Whether an observation is of the layer that is looked at now, not of the one before. */
    accepts: ({ layer }: ObservationFacts) => layer === store.getState().layer,
    /** The first sight of a layer chooses the neurons to draw. */
    seen() {
      if (store.getState().neurons === null) look({ neurons: liveliest(live) });
    },
  };
}

export type Looking = ReturnType<typeof createLooking>;

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

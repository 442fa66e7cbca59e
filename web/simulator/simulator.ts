import { createStore } from 'zustand/vanilla';
import type { SimulationDescription } from '../../engine/index.ts';
import { createCurvesBuffer } from '../widgets/buffers/curves-buffer.ts';
import { createSpikeBuffer, type SpikeBuffer } from '../widgets/buffers/spike-buffer.ts';
import type {
  FiguresFacts,
  NetworkFacts,
  SimulationState,
  SimulatorCommand,
  SimulatorEvent,
  StepsFacts,
} from './protocol.ts';
import { createRateHistory } from './rate-history.ts';

/** A way to the simulator's worker. */
export interface SimulatorPort {
  send(command: SimulatorCommand): void;
  listen(heard: (event: SimulatorEvent) => void, crashed: (message: string) => void): void;
}

/** Columns across the raster. */
export const SHOWN_COLUMNS = 500;

export interface SimulatorState {
  readonly state: SimulationState;
  /** The spikes of the newest steps; another buffer for every network. */
  readonly raster: SpikeBuffer | null;
  readonly figures: FiguresFacts | null;
}

/** The page's side of the simulator: what it was told last, and the buffers that its plots draw from. */
export function createSimulator(port: SimulatorPort) {
  const store = createStore<SimulatorState>(() => ({
    state: { status: 'opening' },
    raster: null,
    figures: null,
  }));
  const rates = createCurvesBuffer();
  let history: ReturnType<typeof createRateHistory> | undefined;
  let isKnown = false;

  function opened(network: NetworkFacts) {
    isKnown = true;
    const { populations, dt, columnSteps } = network;
    const counts = populations.map(({ count }) => count);
    const rows = populations.reduce((sum, part) => sum + part.rows, 0);
    history = createRateHistory({ counts, dt, span: SHOWN_COLUMNS * columnSteps * dt });
    rates.replace([]);
    store.setState({ raster: createSpikeBuffer(rows, 2 * SHOWN_COLUMNS), figures: null });
  }

  function passed({ steps, raster: words, counts }: StepsFacts) {
    const { raster } = store.getState();
    if (!raster || !history) return;
    const { wordsPerStep } = raster;
    for (let at = 0; at < words.length; at += wordsPerStep) {
      raster.push(words.subarray(at, at + wordsPerStep));
    }
    history.add(steps, counts);
    rates.replace(history.curves());
  }

  port.listen(
    (event) => {
      switch (event.kind) {
        case 'state':
          // Each announcement carries the facts anew; an opening lies between two networks.
          if (event.state.status === 'opening') isKnown = false;
          if ('network' in event.state && !isKnown) opened(event.state.network);
          return store.setState({ state: event.state });
        case 'steps':
          return passed(event.steps);
        default:
          return store.setState({ figures: event.figures });
      }
    },
    (message) => store.setState({ state: { status: 'failed', message } }),
  );

  return {
    store,
    rates,
    open: (description: SimulationDescription, next: 'run' | 'wait') =>
      port.send({ kind: 'open', description, next }),
    run: () => port.send({ kind: 'run' }),
    pause: () => port.send({ kind: 'pause' }),
    step: () => port.send({ kind: 'step' }),
  };
}

export type Simulator = ReturnType<typeof createSimulator>;

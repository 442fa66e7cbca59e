import { createStore } from 'zustand/vanilla';
import type { SimulationDescription } from '../../engine/index.ts';
import { createCurvesBuffer } from '../widgets/buffers/curves-buffer.ts';
import { createSpikeBuffer, type SpikeBuffer } from '../widgets/buffers/spike-buffer.ts';
import type {
  FiguresFacts,
  SimulationState,
  SimulatorCommand,
  SimulatorEvent,
  StepsFacts,
} from './protocol.ts';
import { rasterLayout } from './raster-layout.ts';
import { createRateHistory } from './rate-history.ts';

/** A way to the simulator's worker. */
export interface SimulatorPort {
  send(command: SimulatorCommand): void;
  listen(onMessage: (event: SimulatorEvent) => void, crashed: (message: string) => void): void;
}

/** Columns across the raster. */
export const SHOWN_COLUMNS = 500;

export interface SimulatorState {
  readonly state: SimulationState;
  /** The spikes of the newest steps; another buffer for every network. */
  readonly raster: SpikeBuffer | null;
  readonly figures: FiguresFacts | null;
}

/** The page's side of the simulator: the latest announcement, and the buffers that its plots draw from. */
export function createSimulator(port: SimulatorPort) {
  const store = createStore<SimulatorState>(() => ({
    state: { status: 'opening' },
    raster: null,
    figures: null,
  }));
  const rates = createCurvesBuffer();
  let history: ReturnType<typeof createRateHistory> | undefined;
  /** Networks asked for of which the worker has not begun to make: what it still says is of another. */
  let awaited = 0;

  function open(description: SimulationDescription, next: 'run' | 'wait') {
    const { populations, rows, dt, columnSteps } = rasterLayout(description);
    const counts = populations.map(({ count }) => count);
    history = createRateHistory({ counts, dt, span: SHOWN_COLUMNS * columnSteps * dt });
    rates.replace([]);
    const raster = createSpikeBuffer(rows, 2 * SHOWN_COLUMNS);
    store.setState({ state: { status: 'opening' }, raster, figures: null });
    awaited++;
    port.send({ kind: 'open', description, next });
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
      if (event.kind === 'state' && event.state.status === 'opening') awaited--;
      if (awaited > 0) return undefined;
      switch (event.kind) {
        case 'state':
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
    open,
    run: () => port.send({ kind: 'run' }),
    pause: () => port.send({ kind: 'pause' }),
    step: () => port.send({ kind: 'step' }),
  };
}

export type Simulator = ReturnType<typeof createSimulator>;

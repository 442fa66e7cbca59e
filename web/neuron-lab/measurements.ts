import { createStore } from 'zustand/vanilla';
import { createCurvesBuffer } from '../widgets/buffers/curves-buffer.ts';
import type { Caller } from '../workers/calls.ts';
import { createLatest } from '../workers/latest.ts';
import type { MeasurementCalls, SynchronyRequest, WindowRequest } from './protocol.ts';

/** From the source's spike to the target's, ms. */
const DELAYS = Array.from({ length: 81 }, (_, i) => (i - 40) * 2).filter((delay) => delay !== 0);
const COUPLINGS = 21;

/** Curves that are measured on simulations of their own, whenever a slider moves. */
export function createMeasurements(caller: () => Caller<MeasurementCalls>) {
  const window = createCurvesBuffer();
  const synchrony = createCurvesBuffer();
  const failure = createStore<{ readonly message: string | null }>(() => ({ message: null }));
  const failed = (error: unknown) =>
    failure.setState({ message: error instanceof Error ? error.message : String(error) });
  return {
    buffers: { window, synchrony },
    failure,
    /** The change of a synapse over the time between its spikes. */
    measureWindow: createLatest(
      (ask: Omit<WindowRequest, 'delays'>) => caller().ask('window', { ...ask, delays: DELAYS }),
      { answered: (changes) => window.replace([{ x: DELAYS, y: changes }]), failed },
    ),
    /** R over the coupling, up to `highest`. */
    measureSynchrony: createLatest(
      async ({ highest, ...ask }: Omit<SynchronyRequest, 'couplings'> & { highest: number }) => {
        const couplings = Array.from(
          { length: COUPLINGS },
          (_, i) => (highest * i) / (COUPLINGS - 1),
        );
        return { couplings, order: await caller().ask('synchrony', { ...ask, couplings }) };
      },
      {
        answered: ({ couplings, order }) => synchrony.replace([{ x: couplings, y: order }]),
        failed,
      },
    ),
  };
}

export type Measurements = ReturnType<typeof createMeasurements>;

/**
 * Where R begins to rise, for natural frequencies of a normal distribution: K_c = 2 / (pi g(0)) with
 * g(0) = 1 / (spread sqrt(2 pi)) (Kuramoto 1975).
 */
export const criticalCoupling = (spread: number): number => spread * Math.sqrt(8 / Math.PI);

import { type Backend, createSimulation } from '../../../engine/index.ts';
import type { SynchronyRequest } from '../protocol.ts';

const NEURONS = 400;
/** How long the phases run, and how much of that R is averaged over, ms. */
const RUN_MS = 1000;
const AVERAGED_MS = 400;
/** Mean natural frequency, rad/ms: 8 Hz. */
const FREQUENCY = 0.05;

const nameOf = (index: number) => `K${index}`;

/**
 * The order parameter R of neurons with entangled phases at each coupling, averaged once they have
 * settled: one population a coupling, all in one simulation.
 */
export async function measureSynchrony(
  backend: Backend,
  { couplings, spread, seed }: SynchronyRequest,
): Promise<Float64Array<ArrayBuffer>> {
  const simulation = await createSimulation(backend, {
    seed,
    dt: 1,
    populations: couplings.map((coupling, index) => ({
      name: nameOf(index),
      count: NEURONS,
      model: 'entangled',
      parameters: { coupling },
      initial: {
        phase: { uniform: [0, 2 * Math.PI] },
        omega: { normal: [FREQUENCY, spread] },
      },
    })),
    recorders: couplings.map((_, index) => ({ kind: 'synchrony', of: nameOf(index) })),
  });
  try {
    const { synchrony } = await simulation.advance(RUN_MS);
    return Float64Array.from(couplings, (_, index) => {
      const order = synchrony.get(`${nameOf(index)}.synchrony`) ?? new Float32Array();
      const settled = order.subarray(-AVERAGED_MS);
      return settled.reduce((sum, value) => sum + value, 0) / settled.length;
    });
  } finally {
    simulation.close();
  }
}

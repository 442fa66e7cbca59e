import {
  type Backend,
  createSimulation,
  plasticityRules,
  type SimulationDescription,
} from '../../../engine/index.ts';
import type { WindowRequest } from '../protocol.ts';

/** When the first spikes of the sources come, ms: all pairs lie behind the beginning. */
const FIRST_MS = 120;
/** Every synapse begins in the middle between its bounds. */
const WEIGHT = 0.5;

/** Neurons that fire when their driver does, and not by the measured synapse. */
const DRIVEN = { tau: 1, threshold: 10, reset: 0 };

/**
 * How much a synapse changes for each time from a spike of its source to one of its target: one
 * synapse a time, all in one simulation, their weights read before and after.
 */
export async function measureWindow(
  backend: Backend,
  request: WindowRequest,
): Promise<Float64Array<ArrayBuffer>> {
  const simulation = await createSimulation(backend, pairings(request), {
    rules: plasticityRules,
    recordedSteps: 1,
  });
  try {
    await simulation.advance(stepsOf(request));
    const weights = await simulation.read('source->target.weight');
    return Float64Array.from(weights, (weight) => weight - WEIGHT);
  } finally {
    simulation.close();
  }
}

const periodOf = ({ frequency }: WindowRequest) => Math.round(1000 / frequency);

/** Until the last spike of the latest pair. */
const stepsOf = (request: WindowRequest) =>
  FIRST_MS + periodOf(request) * request.pairings + FIRST_MS;

function pairings(request: WindowRequest): SimulationDescription {
  const { rule, parameters, delays, pairings: times } = request;
  const train = (shift: (delay: number) => number) =>
    delays.flatMap((delay, neuron) =>
      Array.from(
        { length: times },
        (_, pair) => [FIRST_MS + pair * periodOf(request) + shift(delay), neuron] as const,
      ),
    );
  const replay = (name: string, spikes: readonly (readonly [number, number])[]) => ({
    name,
    count: delays.length,
    model: 'replay',
    spikes: spikes.toSorted(([a, m], [b, n]) => a - b || m - n),
  });
  return {
    seed: 1,
    dt: 1,
    populations: [
      replay(
        'source',
        train(() => 0),
      ),
      // A spike arrives one step later and makes the target fire at once.
      replay(
        'driver',
        train((delay) => delay - 1),
      ),
      { name: 'target', count: delays.length, model: 'lif_reset', parameters: DRIVEN },
    ],
    projections: [
      {
        from: 'source',
        to: 'target',
        connect: { kind: 'one' },
        weight: WEIGHT,
        plasticity: { rule, parameters },
      },
      { from: 'driver', to: 'target', connect: { kind: 'one' }, weight: 2 * DRIVEN.threshold },
    ],
  };
}

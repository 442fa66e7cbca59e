import { keyOf } from '../random/philox.ts';
import type {
  PopulationSpec,
  ProjectionSpec,
  RecorderSpec,
  SimulationDescription,
} from './description.ts';
import { createDraws } from './draws.ts';

interface IzhikevichSize {
  readonly excitatory: number;
  readonly inhibitory: number;
  readonly seed: number;
}

/** Streams of the drawn parameters, beyond those of populations, projections and stimuli. */
const PARAMETER_STREAM = 1_000_000;

/**
 * The network of pulse-coupled cortical neurons that Izhikevich published with the model (2003, figure 3):
 * all-to-all, heterogeneous neurons, thalamic noise, dt 1 ms; its neurons fall into rhythms of 10 and 40 Hz.
 */
export function izhikevichNetwork(
  { excitatory, inhibitory, seed }: IzhikevichSize = { excitatory: 800, inhibitory: 200, seed: 1 },
): SimulationDescription {
  const draws = createDraws(keyOf(seed), PARAMETER_STREAM);
  const squares = Array.from({ length: excitatory }, () => draws.uniform() ** 2);
  const fractions = Array.from({ length: inhibitory }, () => draws.uniform());
  const parameters = {
    excitatory: {
      a: 0.02,
      b: 0.2,
      c: squares.map((x) => -65 + 15 * x),
      d: squares.map((x) => 8 - 6 * x),
    },
    inhibitory: {
      a: fractions.map((x) => 0.02 + 0.08 * x),
      b: fractions.map((x) => 0.25 - 0.05 * x),
      c: -65,
      d: 2,
    },
  };
  const initial = {
    excitatory: { v: -65, u: -13 },
    inhibitory: { v: -65, u: parameters.inhibitory.b.map((b) => -65 * b) },
  };
  const population = (name: 'excitatory' | 'inhibitory', count: number): PopulationSpec => ({
    name,
    count,
    model: 'izhikevich',
    parameters: parameters[name],
    initial: initial[name],
  });
  return {
    seed,
    dt: 1,
    populations: [population('excitatory', excitatory), population('inhibitory', inhibitory)],
    projections: [...joinAll('excitatory', [0, 0.5]), ...joinAll('inhibitory', [-1, 0])],
    stimuli: [
      { kind: 'noise', to: 'excitatory', mean: 0, deviation: 5 },
      { kind: 'noise', to: 'inhibitory', mean: 0, deviation: 2 },
    ],
    recorders: recordersOf(['excitatory', 'inhibitory']),
  };
}

function joinAll(from: string, uniform: readonly [number, number]): ProjectionSpec[] {
  const connect = { kind: 'all' } as const;
  return ['excitatory', 'inhibitory'].map((to) => ({
    from,
    to,
    connect,
    weight: { uniform },
    delay: 1,
  }));
}

/** Sizes and strengths of a network with balanced excitation and inhibition. */
export interface BalancedOptions {
  readonly excitatory: number;
  readonly inhibitory: number;
  /** Synapses that a neuron gets from excitatory neurons; from inhibitory ones in proportion. */
  readonly inDegree: number;
  /** Size of a postsynaptic potential in mV. */
  readonly weight: number;
  /** How much stronger inhibition is. */
  readonly balance: number;
  /** External rate, in units of the rate that is needed to reach the threshold. */
  readonly drive: number;
  readonly seed: number;
}

/** Brunel's asynchronous irregular state, at a size that a page runs live. */
export const smallBalanced: BalancedOptions = {
  excitatory: 2000,
  inhibitory: 500,
  inDegree: 200,
  weight: 0.4,
  balance: 6,
  drive: 2,
  seed: 1,
};

const TAU_MS = 20;
const THRESHOLD_MV = 20;
const DELAY_MS = 1.5;

/** Sparsely connected excitatory and inhibitory neurons (Brunel 2000, model A): dt 0.1 ms, delays of 1.5 ms. */
export function balancedNetwork(options: BalancedOptions = smallBalanced): SimulationDescription {
  const { excitatory, inhibitory, inDegree, weight, balance, drive, seed } = options;
  const neurons = { tau: TAU_MS, threshold: THRESHOLD_MV, reset: 10, refractory: 2 };
  const degrees = {
    excitatory: inDegree,
    inhibitory: Math.round((inDegree * inhibitory) / excitatory),
  };
  const weights = { excitatory: weight, inhibitory: -balance * weight };
  const names = ['excitatory', 'inhibitory'] as const;
  // Rate in Hz of all external synapses together that holds the mean membrane at the threshold.
  const rate = (1000 * drive * THRESHOLD_MV) / (weight * TAU_MS);
  return {
    seed,
    dt: 0.1,
    populations: names.map((name) => ({
      name,
      count: { excitatory, inhibitory }[name],
      model: 'lif_reset',
      parameters: neurons,
      initial: { v: { uniform: [0, THRESHOLD_MV] as const } },
    })),
    projections: names.flatMap((from) =>
      names.map((to) => ({
        from,
        to,
        weight: weights[from],
        delay: DELAY_MS,
        connect: { kind: 'inDegree', k: degrees[from] } as const,
      })),
    ),
    stimuli: names.map((to) => ({ kind: 'poisson', to, rate, weight }) as const),
    recorders: recordersOf(names),
  };
}

function recordersOf(names: readonly string[]): readonly RecorderSpec[] {
  return names.flatMap((of) => [
    { kind: 'spikes' as const, of },
    { kind: 'rate' as const, of },
  ]);
}

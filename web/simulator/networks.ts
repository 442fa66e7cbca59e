import {
  balancedNetwork,
  izhikevichNetwork,
  type SimulationDescription,
  smallBalanced,
} from '../../engine/index.ts';

export const NETWORKS = ['izhikevich', 'brunel', 'plastic'] as const;
export type NetworkName = (typeof NETWORKS)[number];

/** A network that is ready to run. */
export function readyNetwork(name: NetworkName, seed: number): SimulationDescription {
  return MAKERS[name](seed);
}

const MAKERS: Readonly<Record<NetworkName, (seed: number) => SimulationDescription>> = {
  izhikevich: (seed) => izhikevichNetwork({ excitatory: 800, inhibitory: 200, seed }),
  brunel: (seed) => balancedNetwork({ ...smallBalanced, seed }),
  plastic: plasticFeedForward,
};

/** The largest weight: inputs of half of it keep the neurons just below their threshold. */
const LARGEST = 0.015;

/**
 * Poisson inputs onto a few neurons through plastic synapses, after Song et al. (2000): synapses compete
 * until most lie near one of their bounds. Steps of four times the published size show it in less time.
 */
function plasticFeedForward(seed: number): SimulationDescription {
  return {
    seed,
    dt: 1,
    populations: [
      { name: 'input', count: 400, model: 'poisson', parameters: { rate: 15 } },
      {
        name: 'output',
        count: 8,
        model: 'lif_reset',
        parameters: { tau: 20, threshold: 1, reset: 0, refractory: 2 },
      },
    ],
    projections: [
      {
        from: 'input',
        to: 'output',
        connect: { kind: 'all' },
        weight: { uniform: [0, LARGEST] },
        delay: 1,
        plasticity: {
          rule: 'stdp',
          parameters: {
            amplitudePlus: 0.02 * LARGEST,
            amplitudeMinus: 0.021 * LARGEST,
            high: LARGEST,
          },
        },
      },
    ],
  };
}

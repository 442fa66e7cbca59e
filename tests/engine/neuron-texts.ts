import { writtenNeurons } from '../../engine/neurons/written-catalogue.ts';

/** Adaptive LIF as a user would write it. It learns a number of each neuron and one of each layer. */
export const ADAPTIVE = `
  state u = 0, w = 0
  learn beta = 0.9 in [0, 1] per neuron;  learn gain = 1 per layer;  rho = 0.8;  a = 0.1
  u = beta * u + gain * I - w
  s = spike(u - 1)
  w = rho * w + a * s
  u = u - s`;

/** Written neurons of a model: each alone, and such as need the means of their layer. */
export const WRITTEN_KINDS = {
  written: { equations: ADAPTIVE },
  joined: { equations: writtenNeurons.entangled.text },
} as const;

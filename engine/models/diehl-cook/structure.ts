import { EngineError } from '../../errors.ts';
import { expectCount, expectPositive } from '../../checks.ts';
import type { StdpOptions } from '../../plasticity/stdp.ts';
import { pairRule } from '../../plasticity/stdp-rules.ts';

/**
 * A layer that learns images without labels (Diehl & Cook 2015): Poisson spikes of the pixels drive
 * neurons that inhibit each other; STDP fits the weights of the winner to the image, and a rising
 * threshold hands the next one to others. Times in ms, membranes in mV above rest. In the paper synapses
 * are conductances and inhibition goes by a second population; here a spike adds its weight to the
 * membrane and inhibits the others directly, as in BindsNET (Hazan et al. 2018).
 */
export interface DiehlCookStructure {
  readonly inputs: number;
  readonly neurons: number;
  readonly dt: number;
  /** Steps that an image is shown for. */
  readonly steps: number;
  /** Of a white pixel. */
  readonly maxRateHz: number;
  readonly tauMembrane: number;
  readonly threshold: number;
  readonly reset: number;
  readonly refractoryMs: number;
  /** Inhibition of all other membranes by a spike. */
  readonly inhibition: number;
  readonly thresholdIncrement: number;
  readonly tauThreshold: number;
  readonly stdp: StdpOptions;
  /** Sum of the weights to each neuron when an image begins. */
  readonly totalWeight: number;
}

/** 100 neurons for images of 28 x 28. */
export const diehlCook100: DiehlCookStructure = {
  inputs: 784,
  neurons: 100,
  dt: 1,
  steps: 350,
  maxRateHz: 63.75,
  tauMembrane: 100,
  threshold: 13,
  reset: 5,
  refractoryMs: 5,
  inhibition: 120,
  // Twice that of the paper, where thresholds have 180,000 images to find their places.
  thresholdIncrement: 0.1,
  tauThreshold: 1e7,
  stdp: {
    rule: { ...pairRule, pairing: 'nearest', amplitudePlus: 1e-2, amplitudeMinus: 1e-4 },
    bounds: { low: 0, high: 1 },
    boundary: 'hard',
  },
  totalWeight: 78.4,
};

/** Throws EngineError where a size or constant cannot be. */
export function checkStructure(structure: DiehlCookStructure): void {
  for (const name of ['inputs', 'neurons', 'steps'] as const) {
    expectCount('diehlCook', name, structure[name]);
  }
  const constants = ['dt', 'maxRateHz', 'tauMembrane', 'threshold', 'totalWeight'] as const;
  for (const name of constants) expectPositive('diehlCook', name, structure[name]);
  const { maxRateHz, dt, reset, threshold } = structure;
  if ((maxRateHz * dt) / 1000 > 1) {
    throw new EngineError(
      'invalid-setting',
      `diehlCook: ${maxRateHz} Hz are more than one spike in each step of ${dt} ms`,
    );
  }
  if (reset < threshold) return;
  throw new EngineError(
    'invalid-setting',
    `diehlCook: reset is ${reset}, expected a number below the threshold ${threshold}`,
  );
}

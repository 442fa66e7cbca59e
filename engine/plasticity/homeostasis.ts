import { plasticityKernels, type WeightBounds } from '../kernels/plasticity.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { hertzPerSpike } from './bcm.ts';
import { decayOf, expectCount, expectFinite, expectPositive } from '../checks.ts';
import { checkBounds, type Synapses } from './synapses.ts';
import { traceOf, updateTrace } from './traces.ts';

interface ThresholdAdaptation {
  /** Increment per spike, in units of the membrane. */
  readonly increment: number;
  /** In milliseconds. */
  readonly tauThreshold: number;
  readonly dt: number;
}

/** Diehl & Cook 2015; a threshold forgets in 10^7 ms. */
export const thresholdAdaptation: ThresholdAdaptation = {
  increment: 0.05,
  tauThreshold: 1e7,
  dt: 1,
};

/**
 * Records one step of threshold adaptation: `theta` is what each neuron's threshold has risen by.
 *
 *   theta = theta e^(-dt / tau_theta) + increment s
 */
export function adaptThreshold(
  graph: Graph,
  spikes: Tensor,
  theta: Tensor,
  { increment, tauThreshold, dt }: ThresholdAdaptation,
): void {
  expectFinite('adaptThreshold', 'increment', increment);
  const decay = decayOf('adaptThreshold', 'tauThreshold', tauThreshold, dt);
  updateTrace(graph, spikes, theta, { decay, increment });
}

export interface SynapticScaling {
  readonly targetHz: number;
  /** eta, per hertz and scaling. */
  readonly gain: number;
  /** Over which rates are averaged, in milliseconds. */
  readonly tauRate: number;
  /** Steps from one scaling to the next: each goes through all synapses. */
  readonly interval: number;
  readonly bounds: WeightBounds;
  readonly dt: number;
}

/**
 * Records one step of synaptic scaling (Turrigiano 1998) and gives the running rates, `f32[post]` in hertz.
 * The clock says when, `u32[4]` with the step first.
 *
 *   w *= 1 + eta (rate_target - rate)
 */
export function scaleSynapses(
  graph: Graph,
  { name, synapses, spikes, clock }: ScalingSite,
  { targetHz, gain, tauRate, interval, bounds, dt }: SynapticScaling,
): Tensor {
  checkBounds('scaleSynapses', bounds);
  expectPositive('scaleSynapses', 'targetHz', targetHz);
  expectPositive('scaleSynapses', 'gain', gain);
  expectCount('scaleSynapses', 'interval', interval);
  const decay = decayOf('scaleSynapses', 'tauRate', tauRate, dt);
  const increment = hertzPerSpike(decay, dt);
  const rate = traceOf(graph, `${name}.rate`, spikes, { decay, increment });
  const { weight, post, index } = synapses;
  graph.call(
    plasticityKernels.synaptic_scaling,
    { clock, rate, target: index?.target, weight },
    { count: wordCount(weight), post, gain, setpoint: targetHz, interval, ...bounds },
  );
  return rate;
}

interface ScalingSite {
  readonly name: string;
  readonly synapses: Synapses;
  /** Of the targets. */
  readonly spikes: Tensor;
  readonly clock: Tensor;
}

/** Scales the incoming weights of every target to a sum of `total` (Diehl & Cook 2015). */
export function normaliseIncoming(
  graph: Graph,
  { pre, post, weight, index }: Synapses,
  total: number,
): void {
  expectPositive('normaliseIncoming', 'total', total);
  graph.call(
    plasticityKernels.incoming_normalise,
    { columnStart: index?.columnStart, synapseOf: index?.synapseOf, weight },
    { pre, post, total },
  );
}

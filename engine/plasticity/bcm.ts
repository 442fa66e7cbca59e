import { plasticityKernels, type WeightBounds } from '../kernels/plasticity.ts';
import type { Graph } from '../graph/graph.ts';
import { sharedTensor, type Tensor } from '../graph/tensor.ts';
import { decayOf, expectFinite, expectPositive } from '../checks.ts';
import { checkBounds, checkSite, type RuleSite } from './synapses.ts';
import { traceOf } from './traces.ts';

interface BcmOptions {
  /** eta */
  readonly rate: number;
  /** Over which the activity y of a target is averaged, in milliseconds. */
  readonly tauActivity: number;
  /** Of the sliding threshold, in milliseconds; longer than that of the activity. */
  readonly tauThreshold: number;
  /** y0 in hertz: the activity at which a threshold rests. */
  readonly setpointHz: number;
  readonly bounds: WeightBounds;
}

export const bcmDefaults = {
  rate: 1e-6,
  tauActivity: 100,
  tauThreshold: 5000,
  setpointHz: 10,
  bounds: { low: 0, high: 1 },
} as const satisfies BcmOptions;

interface BcmState {
  /** `f32[post]` in hertz. */
  readonly activity: Tensor;
  /** `f32[post]` in hertz: where depression turns into potentiation. */
  readonly threshold: Tensor;
}

/**
 * Records one step of the rule of Bienenstock, Cooper & Munro (1982) for spiking neurons: x is the spike
 * of the source in this step, y the rate of the target over the last `tauActivity`.
 *
 *   dw = eta x y (y - theta_M)      theta_M += (y^2 / y0 - theta_M) dt / tau_theta
 *
 * Only synapses of sources that fired are touched.
 */
export function bcm(graph: Graph, site: RuleSite, options: BcmOptions): BcmState {
  checkSite('bcm', site);
  checkBounds('bcm', options.bounds);
  expectFinite('bcm', 'rate', options.rate);
  expectPositive('bcm', 'setpointHz', options.setpointHz);
  expectPositive('bcm', 'tauThreshold', options.tauThreshold);
  const { name, synapses, spikes, dt } = site;
  const { pre, post, weight, index } = synapses;
  const decay = decayOf('bcm', 'tauActivity', options.tauActivity, dt);
  const activity = traceOf(graph, `${name}.activity`, spikes.post, {
    decay,
    increment: hertzPerSpike(decay, dt),
  });
  const threshold = sharedTensor(`${name}.threshold`, 'f32', [post]);
  graph.call(
    plasticityKernels.bcm_update,
    {
      spikes: spikes.pre,
      activity,
      threshold,
      rowStart: index?.rowStart,
      target: index?.target,
      weight,
    },
    { pre, post, rate: options.rate, ...options.bounds },
  );
  graph.call(
    plasticityKernels.bcm_threshold,
    { activity, threshold },
    { count: post, setpoint: options.setpointHz, rate: dt / options.tauThreshold },
  );
  return { activity, threshold };
}

/** Increment per spike of a running mean rate that decays by `decay` per step of `dt` milliseconds. */
export function hertzPerSpike(decay: number, dt: number): number {
  return (1000 * (1 - decay)) / dt;
}

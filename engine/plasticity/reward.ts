import { plasticityKernels } from '../kernels/plasticity.ts';
import type { Graph } from '../graph/graph.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { decayOf, expectFinite } from '../checks.ts';
import { recordStdp, type StdpOptions } from './stdp.ts';
import { checkBounds, checkSite, type RuleSite, unbounded } from './synapses.ts';

interface RewardOptions extends Omit<StdpOptions, 'boundary'> {
  /** Of the eligibility, in milliseconds. */
  readonly tauEligibility: number;
  /** Factor of the reward. */
  readonly rate: number;
}

interface RewardedSynapses {
  /** `f32[2]`: the reward of this step and its baseline; written by the host or another kernel. */
  readonly reward: Tensor;
  /** Shaped like the weights; already decayed for the next step. */
  readonly eligibility: Tensor;
}

/**
 * Records one step of reward-modulated STDP (Izhikevich 2007): pairings mark synapses as eligible, and
 * only a reward that differs from its baseline changes their weights.
 *
 *   c = c e^(-dt / tau_c) + STDP      w += rate (reward - baseline) c
 */
export function rewardStdp(graph: Graph, site: RuleSite, options: RewardOptions): RewardedSynapses {
  checkSite('rewardStdp', site);
  checkBounds('rewardStdp', options.bounds);
  expectFinite('rewardStdp', 'rate', options.rate);
  const { weight } = site.synapses;
  const reward = sharedTensor(`${site.name}.reward`, 'f32', [2]);
  const eligibility = sharedTensor(`${site.name}.eligibility`, 'f32', weight.shape);
  const pairing = { rule: options.rule, bounds: unbounded, boundary: 'hard' } as const;
  recordStdp(graph, site, pairing, eligibility);
  graph.call(
    plasticityKernels.reward_update,
    { reward, eligibility, weight },
    {
      count: wordCount(weight),
      decay: decayOf('rewardStdp', 'tauEligibility', options.tauEligibility, site.dt),
      rate: options.rate,
      ...options.bounds,
    },
  );
  return { reward, eligibility };
}

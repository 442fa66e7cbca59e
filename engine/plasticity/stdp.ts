import { plasticityKernels, type WeightBounds } from '../kernels/plasticity.ts';
import type { Graph } from '../graph/graph.ts';
import { sharedTensor, type Tensor } from '../graph/tensor.ts';
import { decayOf, expectNonNegative } from '../checks.ts';
import type { PairRule, TripletRule } from './stdp-rules.ts';
import { checkBounds, checkSite, type RuleSite } from './synapses.ts';
import { traceOf, updateTrace } from './traces.ts';

export type StdpRule = PairRule | TripletRule;

export interface StdpOptions {
  readonly rule: StdpRule;
  readonly bounds: WeightBounds;
  /** Stop at the bounds, or slow down in proportion to the distance from them. */
  readonly boundary: 'hard' | 'soft';
}

/** Traces of both sides: `f32[pre]` and `f32[post]`. */
interface StdpTraces {
  readonly pre: Tensor;
  readonly post: Tensor;
}

/**
 * Records one step of spike-timing dependent plasticity. Traces take up the spikes of this step first;
 * then the synapses of sources that fired are weakened by the trace of their targets, and those of
 * targets that fired strengthened by the trace of their sources. Only synapses of neurons that fired
 * are touched.
 *
 *   pair      w -= A_minus y at a source spike            w += A_plus x at a target spike
 *   triplet   w -= o1 (A2_minus + A3_minus r2)            w += r1 (A2_plus + A3_plus o2)
 *
 * r2 and o2 are taken just before they are updated.
 */
export function stdp(graph: Graph, site: RuleSite, options: StdpOptions): StdpTraces {
  checkSite('stdp', site);
  checkBounds('stdp', options.bounds);
  return recordStdp(graph, site, options, site.synapses.weight);
}

/** The same onto `changed`, which is shaped like the weights. */
export function recordStdp(
  graph: Graph,
  site: RuleSite,
  { rule, bounds, boundary }: StdpOptions,
  changed: Tensor,
): StdpTraces {
  const { spikes } = site;
  const traces = recordTraces(graph, site, rule);
  const slow = slowTraces(site, rule);
  const limits = { ...bounds, soft: boundary === 'soft' };
  const sides = sidesOf(rule);
  const { pre, post, index } = site.synapses;
  const rows = index && { rowStart: index.rowStart, target: index.target };
  graph.call(
    plasticityKernels.stdp_depress,
    { spikes: spikes.pre, trace: traces.post, slow: slow?.pre, ...rows, weight: changed },
    { pre, post, ...limits, ...sides.minus, slowDecay: slow?.preDecay ?? 0 },
  );
  const columns = index && {
    columnStart: index.columnStart,
    synapseOf: index.synapseOf,
    source: index.source,
  };
  graph.call(
    plasticityKernels.stdp_potentiate,
    { spikes: spikes.post, trace: traces.pre, slow: slow?.post, ...columns, weight: changed },
    { pre, post, ...limits, ...sides.plus, slowDecay: slow?.postDecay ?? 0 },
  );
  if (slow) {
    updateTrace(graph, spikes.pre, slow.pre, { decay: slow.preDecay });
    updateTrace(graph, spikes.post, slow.post, { decay: slow.postDecay });
  }
  return traces;
}

function recordTraces(graph: Graph, { name, spikes, dt }: RuleSite, rule: StdpRule): StdpTraces {
  const saturates = rule.kind === 'pair' && rule.pairing === 'nearest';
  const decay = (key: 'tauPlus' | 'tauMinus') => decayOf('stdp', key, rule[key], dt);
  return {
    pre: traceOf(graph, `${name}.sourceTrace`, spikes.pre, { decay: decay('tauPlus'), saturates }),
    post: traceOf(graph, `${name}.targetTrace`, spikes.post, {
      decay: decay('tauMinus'),
      saturates,
    }),
  };
}

/** Slow traces, which hold the step before while weights change, and how they decay. */
function slowTraces({ name, synapses, dt }: RuleSite, rule: StdpRule) {
  if (rule.kind === 'pair') return undefined;
  return {
    pre: sharedTensor(`${name}.slowSourceTrace`, 'f32', [synapses.pre]),
    post: sharedTensor(`${name}.slowTargetTrace`, 'f32', [synapses.post]),
    preDecay: decayOf('stdp', 'tauX', rule.tauX, dt),
    postDecay: decayOf('stdp', 'tauY', rule.tauY, dt),
  };
}

function sidesOf(rule: StdpRule) {
  const sides =
    rule.kind === 'pair'
      ? {
          plus: { pair: rule.amplitudePlus, triplet: 0 },
          minus: { pair: rule.amplitudeMinus, triplet: 0 },
        }
      : {
          plus: { pair: rule.pairPlus, triplet: rule.tripletPlus },
          minus: { pair: rule.pairMinus, triplet: rule.tripletMinus },
        };
  for (const [side, { pair, triplet }] of Object.entries(sides)) {
    expectNonNegative('stdp', `the amplitude of pairs (${side})`, pair);
    expectNonNegative('stdp', `the amplitude of triplets (${side})`, triplet);
  }
  return sides;
}

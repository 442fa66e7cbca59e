import { memoryKernels } from '../../kernels/memory.ts';
import type { Player } from '../../graph/backend.ts';
import type { Graph } from '../../graph/graph.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { energyGate } from '../../ops/energy-gate.ts';
import { countSpikes } from '../../ops/lif.ts';
import { linear } from '../../ops/linear.ts';
import { relaxedAttention } from '../../ops/relaxed-attention.ts';
import { relaxedLif } from '../../ops/relaxed-lif.ts';
import { adaptDecay, rewardSignal } from '../../ops/reward.ts';
import { decayTable } from '../../ops/spike-attention.ts';
import {
  canClose,
  createGateCounts,
  defaultEnergySettings,
  type EnergySettings,
  type GateCounts,
} from './energy.ts';
import type { Forward, Mixing } from './forward.ts';
import { parallelMixing } from './mixing.ts';
import { BETA_RANGE, type RulePart, ruleParts } from './neuron-rules.ts';
import { type NeuronRules } from '../../settings/controls.ts';
import { fireNeurons, neuronOptions, type Site } from './neurons.ts';
import type { ChronospikeStructure } from './structure.ts';

/** State of the rules from step to step. The programs of a run share it. */
export interface RuleState {
  readonly rules: NeuronRules;
  readonly energy: EnergySettings;
  /** Of the layers whose gates can close, by name; filled as programs are traced. */
  readonly gates: Map<string, GateCounts>;
  /** LIF's beta where rewards move it, `f32[1]`. */
  readonly beta: Tensor | undefined;
  /** Factor of the energy supply, `f32[1]`. */
  readonly supply: Tensor | undefined;
  /** Running means of loss and reward, and whether there are any, `f32[3]`. */
  readonly reward: Tensor | undefined;
  readonly kept: ReadonlyMap<RulePart, Tensor>;
}

export function createRuleState(
  structure: ChronospikeStructure,
  rules: NeuronRules,
  energy: EnergySettings = defaultEnergySettings,
): RuleState {
  const kept = new Map(
    ruleParts(structure, rules).map(({ name, shape }) => [name, sharedTensor(name, 'f32', shape)]),
  );
  return {
    rules,
    energy,
    gates: new Map(),
    beta: kept.get('reward.beta'),
    supply: kept.get('reward.supply'),
    reward: kept.get('reward.state'),
    kept,
  };
}

/** Begins: with LIF's beta as it is, supplied as for a reward at its running mean, and with no means yet. */
export function startRules(player: Player, { beta, supply }: RuleState, start: number): void {
  if (beta) player.write(beta, Float32Array.of(start));
  if (supply) player.write(supply, Float32Array.of(1));
}

/**
 * How a forward pass fires while training: with the beta that rewards move, and only what can be paid. A gate
 * that cannot close lets everything through, and is left out.
 */
export function ruledFire(
  graph: Graph,
  structure: ChronospikeStructure,
  state: RuleState,
  sequence: number,
): NonNullable<Forward['fire']> {
  const { rules, beta, supply, energy: settings } = state;
  const isGated = canClose(settings, rules, structure.steps * sequence);
  const ones = new Map<number, Tensor>();
  const importanceOf = (width: number) => {
    const known =
      ones.get(width) ??
      graph.constant(
        `importance of ${width}`,
        [width],
        new Float32Array(width).fill(settings.importance),
      );
    ones.set(width, known);
    return known;
  };
  return (site) => {
    const spikes = fireNeurons(graph, structure, site, beta);
    if (!isGated || !supply) return spikes;
    const [, rows = 1, width = 1] = spikes.shape;
    const energy = graph.scratch('energy', 'f32', [rows / sequence, width]);
    const inputs = { spikes, importance: importanceOf(width), supply, energy };
    const { supply: rate, threshold } = settings;
    const gated = energyGate(graph, inputs, { sequence, carried: false, rate, threshold });
    const counts = state.gates.get(site.name) ?? createGateCounts(site.name, width);
    state.gates.set(site.name, counts);
    countSpikes(graph, spikes, counts.fired);
    countSpikes(graph, gated, counts.passed);
    return gated;
  };
}

/** How a forward pass goes whose spikes lie between 0 and 1: products and attention take numbers. */
export function relaxedForward(
  graph: Graph,
  structure: ChronospikeStructure,
  { beta, hardness, sequence }: { beta: Tensor | undefined; hardness: Tensor; sequence: number },
): Pick<Forward, 'fire' | 'multiply' | 'mixing'> {
  const { tau, width, heads } = structure;
  const table = decayTable(tau, width / heads, sequence);
  const decay = graph.constant('decay of scores', [heads, sequence], table);
  const mixing: Mixing = {
    shift: parallelMixing(graph, structure, sequence).shift,
    attend: (qkv) => relaxedAttention(graph, qkv, { heads, sequence, decay }),
  };
  return {
    mixing,
    fire: ({ current }: Site) =>
      relaxedLif(graph, current, { ...neuronOptions(structure), movingBeta: beta, hardness }),
    multiply: (spikes, name, options) => linear(graph, spikes, graph.parameter(name), options),
  };
}

/** Rewards the step whose loss is in the history: moves beta and the supply for the next one. */
export function traceReward(
  graph: Graph,
  { rules, beta, supply, reward }: RuleState,
  inputs: { readonly history: Tensor; readonly clock: Tensor },
): void {
  const { rewardMode: mode, rewardClipValue: clip } = rules;
  if (mode === 'off' && supply) {
    // Checkpoints have it, so a program must, whether its gates are left out or not.
    const even = graph.constant('even supply', [1], Float32Array.of(1));
    graph.call(memoryKernels.copy, { source: even, target: supply }, { count: 1 });
  }
  if (mode === 'off' || !reward || !supply) return;
  const signal = rewardSignal(graph, 'reward', { ...inputs, state: reward }, { mode, clip });
  graph.call(memoryKernels.copy, { source: signal.supply, target: supply }, { count: 1 });
  if (beta) adaptDecay(graph, beta, signal, BETA_RANGE);
}

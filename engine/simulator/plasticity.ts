import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { PlasticitySpec } from './description.ts';

/**
 * The synapses of a plastic projection on the device. By source: row s holds synapses rowStart[s] to before
 * rowStart[s + 1], targets ascending. By target: column t holds entries columnStart[t] to before
 * columnStart[t + 1] of `synapseOf`, the synapses in row order, and of `source`.
 */
export interface SynapseTensors {
  readonly name: string;
  readonly sources: number;
  readonly targets: number;
  readonly synapses: number;
  /** u32[sources + 1], u32[synapses], f32[synapses]. */
  readonly rowStart: Tensor;
  readonly target: Tensor;
  readonly weight: Tensor;
  /** u32[targets + 1], u32[synapses], u32[synapses]. */
  readonly columnStart: Tensor;
  readonly synapseOf: Tensor;
  readonly source: Tensor;
  /** Spikes of this step: bits[sources], bits[targets]. */
  readonly sourceSpikes: Tensor;
  readonly targetSpikes: Tensor;
  /** u32[4]: step, unused, seed. */
  readonly clock: Tensor;
  /** ms of a step. */
  readonly dt: number;
}

/** A persistent tensor of a rule with its initial data. */
export interface Initialised {
  readonly tensor: Tensor;
  readonly data: Float32Array | Uint32Array;
}

export type RuleParameters = Readonly<Record<string, number>>;

/** A rule that changes weights, recorded once and run in every step after the spikes are delivered. */
export interface PlasticityRule {
  readonly name: string;
  /** Throws EngineError `invalid-setting` for unsupported parameters. */
  check(parameters: RuleParameters): void;
  /** Bound of the absolute weights, by which the fixed-point range of inputs is chosen. */
  largestWeight(parameters: RuleParameters): number;
  /** Records the kernel calls of a step; returns those of the rule's tensors that are not initially 0. */
  record(
    graph: Graph,
    synapses: SynapseTensors,
    parameters: RuleParameters,
  ): readonly Initialised[];
}

/** Finds the rule of a projection and checks its parameters. */
export function ruleOf(
  { rule, parameters = {} }: PlasticitySpec,
  rules: readonly PlasticityRule[],
): PlasticityRule {
  const found = rules.find(({ name }) => name === rule);
  if (!found) {
    const known = rules.map(({ name }) => name).join(', ') || 'none, as no rules were given';
    throw new EngineError(
      'invalid-setting',
      `unknown plasticity rule "${rule}": expected ${known}`,
    );
  }
  found.check(parameters);
  return found;
}

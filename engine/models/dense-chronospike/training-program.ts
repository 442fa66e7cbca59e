import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { ratesInput } from '../../ops/step-inputs.ts';
import { plainRules } from '../../settings/controls.ts';
import type { LossRule, StepRules } from '../language/loss-rule.ts';
import { type BatchShape, HISTORY_SLOTS, type TextStep } from '../language/text-programs.ts';
import { chunkMixing } from './chunk-mixing.ts';
import type { Forward } from './forward.ts';
import { sharedStep, type SharedStep, traceLoss } from './loss-program.ts';
import {
  createRuleState,
  relaxedForward,
  ruledFire,
  type RuleState,
  traceReward,
} from './ruled-neurons.ts';
import type { EarlyStep } from '../../train/run-parts.ts';
import { CARRY_GROUPS, type ChronospikeStructure } from './structure.ts';

/** `carried` lasts from chunk to chunk, see `chunkMixing`. */
type TrainProgram = TextStep & { readonly carried: readonly Tensor[] };

interface TrainingRules extends StepRules {
  /** Neurons learn by the gradient alone by default. */
  readonly state?: RuleState;
  /** Rows read a text chunk by chunk and carry their state along. */
  readonly carry?: boolean;
}

/** Forward, backward and optimiser: one step of training. */
export function traceTraining(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  { state = createRuleState(structure, plainRules), carry = false, ...rules }: TrainingRules,
): TrainProgram {
  const { beta1, beta2, epsilon } = rules;
  const optimiser = { beta1, beta2, epsilon };
  const isEarly = state.rules.relaxation > 0;
  const tensors = isEarly || carry ? sharedStep(structure, shape) : undefined;
  const parts = { shape, optimiser, state, tensors, lossOf: rules.lossOf };
  const early = isEarly && { early: traceEarly(layout, structure, parts) };
  if (carry) return { ...traceGroups(layout, structure, parts), ...early };
  const graph = new Graph('train', layout);
  const fire = ruledFire(graph, structure, state, shape.sequence);
  const hard = traceStep(graph, structure, { ...parts, forward: { fire } });
  return { ...hard, ...early, program: graph.build(), carried: [] };
}

/** A program for each group of rows. They share everything but what their rows carry. */
function traceGroups(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  parts: Omit<StepParts, 'forward'>,
): TrainProgram {
  const { shape, state, tensors = sharedStep(structure, shape) } = parts;
  const begins = sharedTensor('begins', 'u32', [shape.batch]);
  const traced = Array.from({ length: CARRY_GROUPS }, (_, group) => {
    const graph = new Graph(`train, group ${group}`, layout);
    const fire = ruledFire(graph, structure, state, shape.sequence);
    const mixing = chunkMixing(graph, structure, { ...shape, group, begins });
    traceStep(graph, structure, { ...parts, tensors, forward: { fire, mixing } });
    mixing.advance();
    return { program: graph.build(), carried: mixing.carried };
  });
  const groups = traced.map(({ program }) => program);
  const [program] = groups as [Program];
  return { ...tensors, program, groups, begins, carried: traced.flatMap(({ carried }) => carried) };
}

interface StepParts {
  readonly shape: BatchShape;
  readonly optimiser: AdamWOptions;
  readonly state: RuleState;
  /** Differences from a plain forward pass. */
  readonly forward: Partial<Forward>;
  readonly tensors?: SharedStep | undefined;
  readonly lossOf: LossRule | undefined;
}

function traceStep(
  graph: Graph,
  structure: ChronospikeStructure,
  { shape, optimiser, state, forward, tensors, lossOf }: StepParts,
): SharedStep {
  const { loss, ...step } = traceLoss(graph, structure, shape, {
    ...forward,
    tensors,
    lossOf,
  });
  const rates = tensors?.rates ?? ratesInput(graph);
  const norms = tensors?.norms ?? graph.local('norms', 'f32', [HISTORY_SLOTS]);
  const { ids, targets, clock, losses, prior } = step;
  differentiate(graph, loss);
  adamW(graph, optimiser, { rates, clock, norms });
  traceReward(graph, state, { history: losses, clock });
  return { ids, targets, clock, losses, rates, norms, ...(prior && { prior }) };
}

/** The step with soft spikes. It carries nothing: what is carried are counts of spikes. */
function traceEarly(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  parts: Omit<StepParts, 'forward'>,
): EarlyStep {
  const { state, shape } = parts;
  const graph = new Graph('train, relaxed', layout);
  const hardness = graph.local('hardness', 'f32', [1]);
  const forward = relaxedForward(graph, structure, { ...state, ...shape, hardness });
  traceStep(graph, structure, { ...parts, forward });
  return { program: graph.build(), until: state.rules.relaxation, hardness };
}

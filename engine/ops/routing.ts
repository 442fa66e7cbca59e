import { sparseKernels } from '../kernels/sparse.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Experts, Sequences } from './event-scan.ts';
import { axesOf, expectShape, expectWhole } from './shapes.ts';

interface RouteOptions extends Sequences {
  /** Experts that read a token. */
  readonly active: number;
  /** Tokens from which on the mean forgets. */
  readonly memory: number;
  /** `f32[slots, experts + 1]`: means and how many tokens they are of; it lasts if it is not scratch. */
  readonly state: Tensor;
  /** Weight of the load-balance term in the loss. */
  readonly balance: number;
  /** `u32[rows]`: 0 for a token that nobody reads and that leaves no trace. */
  readonly mask?: Tensor | undefined;
}

export interface Routed {
  readonly experts: Experts;
  /** `f32[active, rows]`: sigmoid of the score of one expert, softmax over several. */
  readonly gates: Tensor;
}

/**
 * Chooses the `active` experts with the highest running mean of their scores, `[1, rows, experts]`, up to
 * each token: as scores are linear, this is the score of the running mean of what they were made from, and
 * no token sees what comes later. Ties go to the first.
 *
 * The gradient adds that of `balance experts sum_e load_e mean(softmax_e)` to what comes by the gates, with
 * the loads held constant (Fedus et al. 2021): no expert is left without tokens.
 */
export function route(graph: Graph, scores: Tensor, options: RouteOptions): Routed {
  const { active, memory, state, balance, sequence, slots, slotCount, mask } = options;
  const { rows, width: experts } = axesOf('route', scores);
  expectWhole('route', 'rows / sequence', rows / sequence, 1);
  expectWhole('route', 'memory', memory, 1);
  expectShape('route slots', slots, [rows / sequence], 'u32');
  expectShape('route state', state, [slotCount, experts + 1]);
  if (!(Number.isInteger(active) && active >= 1 && active <= experts)) {
    throw new EngineError(
      'invalid-setting',
      `route: ${active} experts are to read a token: expected a whole number from 1 to ${experts}`,
    );
  }
  if (mask) expectShape('route mask', mask, [rows], 'u32');
  const means = graph.scratch('mean scores', 'f32', [rows, experts + 1]);
  const chosen = graph.scratch('experts', 'u32', [active, rows]);
  const gates = graph.scratch('gates', 'f32', [active, rows]);
  const attributes = { rows, active, experts, sequence };
  graph.call(
    sparseKernels.route_forward,
    { scores, slots, state, means, experts: chosen, gates, mask },
    { ...attributes, memory, slotCount },
  );
  graph.differentiable({
    inputs: [scores],
    output: gates,
    backward(gateGradient, gradients) {
      const load = graph.scratch('load', 'f32', [experts]);
      const scoreGradient = graph.scratch('gradient of scores', 'f32', scores.shape);
      graph.call(sparseKernels.expert_load, { experts: chosen, load }, { rows, active, experts });
      graph.call(
        sparseKernels.route_backward,
        { means, experts: chosen, load, gateGradient, scoreGradient },
        { ...attributes, balance },
      );
      gradients.give(scores, scoreGradient);
    },
  });
  return { experts: chosen, gates };
}

/**
 * The mean of the tokens of each sequence up to each token, `[1, rows, width]`; tokens that the mask `u32[rows]`
 * leaves out do not count. `state` is `f32[slots, width + 1]`: means and how many tokens they are of.
 */
export function runningMean(
  graph: Graph,
  input: Tensor,
  {
    sequence,
    slots,
    slotCount,
    mask,
    state,
  }: Sequences & { readonly mask: Tensor; readonly state: Tensor },
): Tensor {
  const { rows, width } = axesOf('runningMean', input);
  expectWhole('runningMean', 'rows / sequence', rows / sequence, 1);
  expectShape('runningMean slots', slots, [rows / sequence], 'u32');
  expectShape('runningMean mask', mask, [rows], 'u32');
  expectShape('runningMean state', state, [slotCount, width + 1]);
  const output = graph.scratch('running mean', 'f32', input.shape);
  const rates = graph.scratch('rates', 'f32', [rows]);
  const attributes = { rows, width, sequence };
  graph.call(
    sparseKernels.running_mean_forward,
    { input, slots, state, mask, output, rates },
    { ...attributes, slotCount },
  );
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      const inputGradient = graph.scratch('gradient of the input', 'f32', input.shape);
      graph.call(
        sparseKernels.running_mean_backward,
        { gradient, rates, inputGradient },
        attributes,
      );
      gradients.give(input, inputGradient);
    },
  });
  return output;
}

/**
 * Of features for every expert, `[1, rows, count * rank]`, those of the expert of each event; else zero:
 * `[active, rows, count * rank]`.
 */
export function expertMask(graph: Graph, input: Tensor, experts: Experts, count: number): Tensor {
  const { rows, width } = axesOf('expertMask', input);
  const [active = 0] = experts.shape;
  expectWhole('expertMask', 'features of an expert', width / count, 1);
  const attributes = { rows, active, experts: count, rank: width / count };
  const output = graph.scratch('own features', 'f32', [active, rows, width]);
  graph.call(sparseKernels.expert_mask_forward, { input, experts, output }, attributes);
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          sparseKernels.expert_mask_backward,
          { gradient, experts, inputGradient },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return output;
}

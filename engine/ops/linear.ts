import { memoryKernels } from '../kernels/memory.ts';
import { linearKernels } from '../kernels/dense.ts';
import { EngineError } from '../errors.ts';
import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor, wordCount } from '../graph/tensor.ts';
import { reachOf, sourceOf } from './lif.ts';
import { columnSumInto } from './row-sums.ts';
import { axesOf, expectShape } from './shapes.ts';

export interface LinearOptions {
  /** `[outputs]`, added to every row. */
  readonly bias?: Tensor;
  /** Added to the output: `[steps, rows, outputs]`, or `[1, rows, outputs]` for every step alike. */
  readonly residual?: Tensor;
}

/** `input [steps, rows, inputs] x weight [inputs, outputs]` (+ bias + residual). */
export function linear(
  graph: Graph,
  input: Tensor,
  weight: Tensor,
  { bias, residual }: LinearOptions = {},
): Tensor {
  const { steps, rows, width } = axesOf('linear', input);
  const outputs = outputsOf('linear', weight, width);
  const output = graph.scratch('linear', 'f32', [steps, rows, outputs]);
  const product = { rows: steps * rows, columns: outputs, depth: width };
  const residualRows = checkEpilogue('linear', output, bias, residual);
  graph.call(
    linearKernels.linear_forward,
    { input, weight, output, bias, residual },
    { ...product, residualRows },
  );
  graph.differentiable({
    inputs: present([input, weight, bias, residual]),
    output,
    backward(gradient, gradients) {
      gradients.into(weight, (weightGradient, accumulate) =>
        graph.call(
          linearKernels.linear_backward_weight,
          { input, gradient, weightGradient },
          { rows: width, columns: outputs, depth: steps * rows, accumulate },
        ),
      );
      inputGradientInto(graph, gradients, { input, weight, gradient });
      epilogueBackward(graph, gradients, gradient, {
        ...(bias && { bias }),
        ...(residual && { residual }),
      });
    },
  });
  return output;
}

/**
 * A linear fed by spikes: `spikes bits[steps, rows, inputs] x weight [inputs, outputs]` (+ bias +
 * residual), adding weight rows of the set bits only. Its weight gradient is the same kernel on
 * transposed bits.
 */
export function spikeLinear(
  graph: Graph,
  spikes: Tensor,
  weight: Tensor,
  { bias, residual }: LinearOptions = {},
): Tensor {
  const { steps, rows, width } = axesOf('spikeLinear', spikes, 'bits');
  const outputs = outputsOf('spikeLinear', weight, width);
  const output = graph.scratch('spike linear', 'f32', [steps, rows, outputs]);
  const all = steps * rows;
  const residualRows = checkEpilogue('spikeLinear', output, bias, residual);
  graph.call(
    linearKernels.spike_linear_forward,
    { spikes, weight, output, bias, residual },
    { rows: all, columns: outputs, depth: width, residualRows, accumulate: false },
  );
  graph.differentiable({
    inputs: present([spikes, weight, bias, residual]),
    output,
    backward(gradient, gradients) {
      const transposed = graph.scratch('transposed spikes', 'bits', [width, all]);
      graph.call(linearKernels.transpose_bits, { spikes, transposed }, { rows: all, width });
      gradients.into(weight, (weightGradient, accumulate) =>
        graph.call(
          linearKernels.spike_linear_forward,
          { spikes: transposed, weight: gradient, output: weightGradient },
          { rows: width, columns: outputs, depth: all, residualRows: 1, accumulate },
        ),
      );
      inputGradientInto(graph, gradients, { input: spikes, weight, gradient });
      epilogueBackward(graph, gradients, gradient, {
        ...(bias && { bias }),
        ...(residual && { residual }),
      });
    },
  });
  return output;
}

function inputGradientInto(
  graph: Graph,
  gradients: Gradients,
  { input, weight, gradient }: { input: Tensor; weight: Tensor; gradient: Tensor },
): void {
  const [width = 0, outputs = 0] = weight.shape;
  const rows = wordCount(gradient) / outputs;
  const product = { rows, columns: width, depth: outputs };
  const slopes = slopesOf(input);
  gradients.into(input, (inputGradient, accumulate) => {
    const operands = { gradient, weight, inputGradient };
    if (!slopes)
      graph.call(linearKernels.linear_backward_input, operands, { ...product, accumulate });
    else {
      const { current, attributes } = slopes;
      const all = { ...product, ...attributes, accumulate };
      graph.call(linearKernels.linear_backward_spikes, { ...operands, current }, all);
    }
  });
}

/** The range in which the neurons that feed a linear have a slope, if that is not everywhere. */
function slopesOf(spikes: Tensor) {
  const source = sourceOf(spikes);
  const reach = source && reachOf(source.options.surrogate);
  if (!source || reach === undefined) return undefined;
  const { steps, beta, threshold } = source.options;
  const currentSteps = source.current.shape[0] ?? 1;
  return { current: source.current, attributes: { steps, currentSteps, beta, threshold, reach } };
}

/** Hands the output's gradient on. Comes last in a rule: the residual takes the tensor over. */
function epilogueBackward(
  graph: Graph,
  gradients: Gradients,
  gradient: Tensor,
  { bias, residual }: LinearOptions,
): void {
  if (bias) columnSumInto(gradients, graph, bias, gradient);
  if (!residual) return;
  const steps = gradient.shape[0] ?? 1;
  if (residual.shape[0] === steps) {
    gradients.give(residual, gradient);
    return;
  }
  gradients.into(residual, (target, accumulate) =>
    graph.call(
      memoryKernels.sum_steps,
      { source: gradient, target },
      { count: wordCount(target), steps, accumulate },
    ),
  );
}

function outputsOf(op: string, weight: Tensor, inputs: number): number {
  const [rows, outputs] = weight.shape;
  if (rows === inputs && outputs !== undefined) return outputs;
  throw new EngineError(
    'shape-mismatch',
    `${op}: the input has ${inputs} features but the weight is ${describe(weight)}`,
  );
}

/** Checks the shapes of bias and residual; returns the rows of the residual. */
export function checkEpilogue(
  op: string,
  output: Tensor,
  bias?: Tensor,
  residual?: Tensor,
): number {
  const [steps = 1, rows = 1, outputs = 1] = output.shape;
  if (bias) expectShape(`${op} bias`, bias, [outputs]);
  if (!residual) return 1;
  const isSpread = residual.shape[0] === 1;
  expectShape(`${op} residual`, residual, [isSpread ? 1 : steps, rows, outputs]);
  return isSpread ? rows : steps * rows;
}

function present(tensors: readonly (Tensor | undefined)[]): Tensor[] {
  return tensors.filter((tensor) => tensor !== undefined);
}

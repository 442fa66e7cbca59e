import { chunkKernels } from '../kernels/attention.ts';
import { shiftKernels } from '../kernels/dense.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { columnSumInto, partialSums, reduceInto } from './row-sums.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';

interface TokenShiftOptions {
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** Inputs of the tokens before, `[steps, batch, width]`, constants to the gradient; zero where it is left out. */
  readonly previous?: Tensor;
}

/**
 * Mixes each token with the one before it: `mix * x[i] + (1 - mix) * x[i-1]` per feature, with `previous`
 * before the first token of a sequence. `[steps, rows, width]`, mix `[width]` (after RWKV and SpikeGPT).
 */
export function tokenShift(
  graph: Graph,
  input: Tensor,
  mix: Tensor,
  { sequence, previous }: TokenShiftOptions,
): Tensor {
  const { steps, rows: tokens, width } = axesOf('tokenShift', input);
  expectSequences('tokenShift', tokens, sequence);
  expectShape('tokenShift mix', mix, [width]);
  const rows = steps * tokens;
  const output = graph.scratch('token shift', 'f32', input.shape);
  graph.call(shiftKernels.token_shift_forward, { input, mix, output }, { rows, width, sequence });
  const firsts = { rows: rows / sequence, width, sequence };
  if (previous) {
    expectShape('tokenShift previous', previous, [steps, tokens / sequence, width]);
    graph.call(chunkKernels.carried_shift_forward, { previous, mix, output }, firsts);
  }
  graph.differentiable({
    inputs: [input, mix],
    output,
    backward(gradient, gradients) {
      const sums = partialSums(graph, mix.name, rows, width);
      graph.call(
        shiftKernels.token_shift_backward_mix,
        { input, gradient, partial: sums.tensor },
        { rows, width, sequence, chunk: sums.chunk },
      );
      reduceInto(gradients, graph, mix, sums);
      if (previous) {
        const change = graph.scratch('change of mix', 'f32', previous.shape);
        graph.call(chunkKernels.carried_shift_backward, { previous, gradient, change }, firsts);
        columnSumInto(gradients, graph, mix, change);
      }
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          shiftKernels.token_shift_backward_input,
          { gradient, mix, inputGradient },
          { rows, width, sequence, accumulate },
        ),
      );
    },
  });
  return output;
}

/**
 * The recurrent form for one token a row: `previous [steps, slots, width]` holds the last inputs of
 * sequences, of which row r replaces that of slot `slots[r]`, see `slotWord`.
 */
export function tokenShiftStep(
  graph: Graph,
  input: Tensor,
  mix: Tensor,
  { slots, previous }: { readonly slots: Tensor; readonly previous: Tensor },
): Tensor {
  const { steps, rows, width } = axesOf('tokenShiftStep', input);
  const count = previous.shape[1] ?? 0;
  expectShape('tokenShiftStep mix', mix, [width]);
  expectShape('tokenShiftStep slots', slots, [rows], 'u32');
  expectShape('tokenShiftStep previous', previous, [steps, count, width]);
  const output = graph.scratch('token shift', 'f32', input.shape);
  const operands = { input, mix, slots, previous, output };
  graph.call(shiftKernels.token_shift_step, operands, { steps, rows, width, slots: count });
  return output;
}

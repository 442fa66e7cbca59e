import { chunkKernels } from '../kernels/attention.ts';
import { memoryKernels } from '../kernels/memory.ts';
import type { Attributes } from '../kernels/kernels.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';

/** Sequences one after another in the rows of a tensor. */
interface Sequences {
  /** `[steps, batch * rows, width]`, or `[1, …]` for every step alike. */
  readonly input: Tensor;
  /** Rows of one sequence. */
  readonly rows: number;
}

/**
 * Each sequence of the first part followed by that of the second, and so on: `[steps, batch * all rows,
 * width]`. One part alone is repeated over the steps.
 */
export function joinSequences(graph: Graph, parts: readonly Sequences[], steps: number): Tensor {
  const { batch, width, rows: targetRows } = checkParts(parts, steps);
  const output = graph.scratch('joined sequences', 'f32', [steps, batch * targetRows, width]);
  let targetFirst = 0;
  const placed = parts.map(({ input, rows }) => {
    const place = { count: rows, first: targetFirst };
    targetFirst += rows;
    return { input, place };
  });
  const shape = { steps, batch, width, rows: targetRows };
  for (const { input, place } of placed) {
    graph.call(
      memoryKernels.copy_rows,
      { source: input, target: output },
      placement(shape, place, input),
    );
  }
  graph.differentiable({
    inputs: parts.map(({ input }) => input),
    output,
    backward(gradient, gradients) {
      for (const { input, place } of placed) {
        if (!gradients.needs(input)) continue;
        const part = traceSlice(graph, gradient, { ...shape, ...place });
        if (input.shape[0] === steps) {
          gradients.give(input, part);
          continue;
        }
        const count = wordCount(input);
        gradients.into(input, (target, accumulate) =>
          graph.call(
            memoryKernels.sum_steps,
            { source: part, target },
            { count, steps, accumulate },
          ),
        );
      }
    },
  });
  return output;
}

/** Rows `first` to before `first + count` of each sequence: `[steps, batch * count, width]`. */
export function sliceSequences(
  graph: Graph,
  { input, rows }: Sequences,
  { first, count }: { readonly first: number; readonly count: number },
): Tensor {
  const { steps, rows: all, width } = axesOf('sliceSequences', input);
  expectSequences('sliceSequences', all, rows);
  if (!(first >= 0 && count >= 1 && first + count <= rows)) {
    throw new EngineError(
      'shape-mismatch',
      `sliceSequences: ${count} rows from ${first} on are not in sequences of ${rows}`,
    );
  }
  const shape = { steps, batch: all / rows, width, rows };
  const output = traceSlice(graph, input, { ...shape, first, count });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (target, accumulate) => {
        if (!accumulate)
          graph.call(memoryKernels.fill, { target }, { count: wordCount(target), value: 0 });
        const attributes = placement(shape, { first, count }, gradient);
        graph.call(
          memoryKernels.copy_rows,
          { source: gradient, target },
          { ...attributes, accumulate },
        );
      });
    },
  });
  return output;
}

interface Shape {
  readonly steps: number;
  readonly batch: number;
  readonly width: number;
  /** Rows of a whole sequence. */
  readonly rows: number;
}

interface Place {
  /** First row in the whole sequence, and number of rows. */
  readonly first: number;
  readonly count: number;
}

/** Whole source sequences to their place in those of the target. */
function placement(
  { steps, batch, width, rows }: Shape,
  { first, count }: Place,
  source: Tensor,
): Attributes<'copy_rows'> {
  const from = { sourceSteps: source.shape[0] ?? 1, sourceRows: count, sourceFirst: 0 };
  const to = { targetRows: rows, targetFirst: first };
  return { steps, batch, width, copiedRows: count, ...from, ...to, accumulate: false };
}

function traceSlice(graph: Graph, source: Tensor, slice: Shape & Place): Tensor {
  const { steps, batch, width, rows, first, count } = slice;
  const target = graph.scratch('sliced sequences', 'f32', [steps, batch * count, width]);
  const from = { sourceSteps: steps, sourceRows: rows, sourceFirst: first };
  const to = { targetRows: count, targetFirst: 0 };
  const shape = { steps, batch, width, copiedRows: count };
  graph.call(
    memoryKernels.copy_rows,
    { source, target },
    { ...shape, ...from, ...to, accumulate: false },
  );
  return target;
}

function checkParts(parts: readonly Sequences[], steps: number): Omit<Shape, 'steps'> {
  const all = parts.map(({ input, rows }) => {
    const axes = axesOf('joinSequences', input);
    expectSequences('joinSequences', axes.rows, rows);
    return { ...axes, batch: axes.rows / rows, sequence: rows };
  });
  const [{ batch, width } = { batch: 0, width: 0 }] = all;
  const isFit = all.every(
    (part) =>
      part.batch === batch && part.width === width && (part.steps === 1 || part.steps === steps),
  );
  if (!isFit || batch === 0) {
    const shapes = all.map((part) => `${part.steps} x ${part.batch} x ${part.width}`).join(', ');
    throw new EngineError(
      'shape-mismatch',
      `joinSequences: parts of [${shapes}] steps x sequences x features: expected as many sequences and ` +
        `features of each, and 1 step or ${steps}`,
    );
  }
  return { batch, width, rows: all.reduce((sum, { sequence }) => sum + sequence, 0) };
}

/** The last token of each sequence, `[steps, batch, width]` of `[steps, rows, width]`. */
export function lastTokens(graph: Graph, source: Tensor, sequence: number): Tensor {
  const { steps, rows, width } = axesOf('lastTokens', source);
  expectSequences('lastTokens', rows, sequence);
  const target = graph.scratch('last tokens', 'f32', [steps, rows / sequence, width]);
  const attributes = { rows: (steps * rows) / sequence, width, sequence };
  graph.call(chunkKernels.last_tokens, { source, target }, attributes);
  return target;
}

/** Sets carried `state [steps, batch, …]` to zero for the sequences that begin: where `begins u32[batch]` is not 0. */
export function clearSequences(graph: Graph, begins: Tensor, state: Tensor): void {
  const [steps = 1, batch = 1] = state.shape;
  expectShape('clearSequences begins', begins, [batch], 'u32');
  const width = wordCount(state) / steps / batch;
  graph.call(chunkKernels.clear_sequences, { begins, state }, { steps, batch, width });
}

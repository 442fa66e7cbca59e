import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { CarriedPart, Segment } from '../graph/segments.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { segmentKernels as kernels } from '../kernels/segments.ts';

/** The states of a layer in a segment of its steps: operands of its kernels. */
interface SegmentStates {
  readonly forth: { readonly firstStates: Tensor; readonly lastStates: Tensor };
  readonly back: { readonly firstStates: Tensor; readonly stateGradient: Tensor };
  /** Leaves the last states to the next segment: after the kernel that computes them. */
  leave(): void;
}

/** Size of a layer, and what each of its states is before the first step. */
interface Layer {
  readonly rows: number;
  readonly width: number;
  readonly initial: readonly number[];
}

/** The states that a layer goes on from; undefined where all of its steps are in one program. */
export function segmentStates(
  graph: Graph,
  op: string,
  { rows, width, initial }: Layer,
): SegmentStates | undefined {
  const { segment } = graph;
  if (!segment || initial.length === 0) return undefined;
  const shape = [initial.length, rows, width];
  const stateGradient = segment.carry({ name: `${op} gradient of states`, dtype: 'f32', shape });
  const first = initial.map((value) => ({ words: rows * width, value }));
  const start = segmentStart(graph, segment, { name: `${op} states`, dtype: 'f32', shape, first });
  const firstStates = start.values;
  const lastStates = graph.scratch('last states', 'f32', shape);
  return {
    forth: { firstStates, lastStates },
    back: { firstStates, stateGradient },
    leave: () => start.leave(lastStates),
  };
}

/** Values that each segment begins with: those that the one before it has left. */
export interface SegmentStart {
  readonly values: Tensor;
  /** Leaves values to the next segment. */
  leave(last: Tensor): void;
}

/** Records where values of this shape come from; `first` are those of the first segment, 0 by default. */
export function segmentStart(
  graph: Graph,
  { count: segments, phase, place, carry }: Segment,
  { name, dtype, shape, first }: CarriedPart,
): SegmentStart {
  const values = graph.scratch(name, dtype, shape);
  const count = wordCount(values);
  const slots = segments + 1;
  // Behind the first segment, all is written before it is read.
  const runs = first ?? [{ words: count, value: 0 }];
  const starts = carry({ name, dtype, shape: [slots, ...shape], first: runs });
  const attributes = { slots, count };
  graph.call(kernels.take_start, { place, starts, states: values }, attributes);
  return {
    values,
    leave(last) {
      // An earlier segment that is run again leaves what it left before.
      if (phase === 'back') return;
      graph.call(kernels.put_start, { place, states: last, starts }, attributes);
    },
  };
}

/** A tensor that is the same in every step counts once in all segments: its gradient is taken in the last one. */
export function heldInSegments(graph: Graph, input: Tensor): Tensor {
  if (graph.segment?.phase !== 'back') return input;
  const target = graph.scratch(`${input.name} of every step`, input.dtype, input.shape);
  graph.call(memoryKernels.copy, { source: input, target }, { count: wordCount(input) });
  return target;
}

/** Throws where an op looks at steps in a way that segments do not carry on. */
export function expectAllSteps(graph: Graph, op: string): void {
  if (!graph.segment) return;
  throw new EngineError(
    'invalid-structure',
    `${op}: it needs all time steps at once: expected a training that is not run in segments`,
  );
}

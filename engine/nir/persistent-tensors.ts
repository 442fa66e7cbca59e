import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

/** A tensor carried from one submission to the next, with its initial data. */
export interface NirState {
  readonly tensor: Tensor;
  readonly initial: Float32Array;
}

interface StateOptions {
  readonly name: string;
  /** Number of past steps, if there are several. */
  readonly depth?: number;
  readonly width: number;
  /** Of each row, `[width]`; zero if absent. */
  readonly start?: Float32Array;
}

/** Constants and states of a network's nodes, created once and shared by all traced steps. */
export interface PersistentTensors {
  readonly states: readonly NirState[];
  constant<D extends Float32Array | Uint32Array>(
    name: string,
    shape: readonly number[],
    make: () => D,
  ): Tensor;
  /** `[depth, rows, width]`, or `[rows, width]` with initial data. */
  state(options: StateOptions): Tensor;
}

export function createPersistentTensors(graph: Graph, rows: number): PersistentTensors {
  const known = new Map<string, Tensor>();
  const states: NirState[] = [];
  const once = (name: string, make: () => Tensor) => {
    const tensor = known.get(name) ?? make();
    known.set(name, tensor);
    return tensor;
  };
  return {
    states,
    constant: (name, shape, make) => once(name, () => graph.constant(name, shape, make())),
    state: ({ name, depth = 1, width, start }) =>
      once(name, () => {
        const axes = start ? [rows, width] : [depth, rows, width];
        const tensor = graph.local(name, 'f32', axes);
        const initial = new Float32Array(wordCount(tensor));
        if (start) for (let row = 0; row < rows; row++) initial.set(start, row * width);
        states.push({ tensor, initial });
        return tensor;
      }),
  };
}

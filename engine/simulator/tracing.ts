import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import { type DType, sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { keyOf } from '../random/philox.ts';
import type { Initialised } from './plasticity.ts';

/** Networks have no trained parameters. */
export const noParameters = layOutParameters([]);

/** Shared context of the parts of a network while they are recorded. */
export interface Tracing {
  readonly graph: Graph;
  readonly clock: Tensor;
  /** Creates a persistent tensor, initially 0 unless data is given. An empty shape gets one element. */
  persistent(
    name: string,
    dtype: DType,
    shape: readonly number[],
    data?: Initialised['data'],
  ): Tensor;
  /** A tensor that was made, by its name. */
  find(name: string): Tensor;
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** Tensors that are not initially 0. */
  readonly first: Initialised[];
}

export function createTracing(seed: number): Tracing {
  const graph = new Graph('step', noParameters);
  const tensors = new Map<string, Tensor>();
  const first: Initialised[] = [];
  const persistent: Tracing['persistent'] = (name, dtype, shape, data) => {
    const tensor = sharedTensor(name, dtype, shape.includes(0) ? [1] : shape);
    tensors.set(name, tensor);
    if (data && data.length === wordCount(tensor)) first.push({ tensor, data });
    return tensor;
  };
  const clock = persistent('clock', 'u32', [4], Uint32Array.of(0, 0, ...keyOf(seed)));
  const find = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor) return tensor;
    const known = [...tensors.keys()].join(', ');
    throw new EngineError(
      'invalid-setting',
      `there is no tensor ${name}: expected one of ${known}`,
    );
  };
  return { graph, clock, persistent, find, tensors, first };
}

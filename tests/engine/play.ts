import type { Backend } from '../../engine/backends/backend.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import {
  type KernelAttributes,
  kernelRoles,
  type KernelName,
  type Operands,
} from '../../engine/graph/kernel-table.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { DType, Tensor } from '../../engine/graph/tensor.ts';

/** Every way the engine can play a program on this machine; each variant of the shaders is one. */
export const variants = {
  'webgpu, register tiles': () =>
    openWebGpuBackend({ gpu: navigator.gpu, tiling: 'register', subgroups: false }),
  'webgpu, workgroup tiles': () =>
    openWebGpuBackend({ gpu: navigator.gpu, tiling: 'workgroup', subgroups: false }),
  'webgpu, subgroups': () =>
    openWebGpuBackend({ gpu: navigator.gpu, tiling: 'workgroup', subgroups: true }),
} as const satisfies Record<string, () => Promise<Backend>>;

export const noParameters = layOutParameters([]);

export interface OperandData {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: Float32Array | Uint32Array;
}

export type KernelCase<K extends KernelName> = {
  readonly kernel: K;
  readonly operands: { readonly [P in keyof Operands<K>]: OperandData };
  readonly attributes: KernelAttributes[K];
};

/** Runs one kernel on its own and returns what its written operands hold afterwards. */
export async function runKernel<K extends KernelName>(
  backend: Backend,
  { kernel, operands, attributes }: KernelCase<K>,
): Promise<Record<string, Float32Array | Uint32Array>> {
  const graph = new Graph(kernel, noParameters);
  const entries = Object.entries<OperandData>(operands as Record<string, OperandData>);
  const tensors: Record<string, Tensor> = {};
  for (const [name, { dtype, shape }] of entries) tensors[name] = graph.local(name, dtype, shape);
  graph.call(kernel, tensors as Operands<K>, attributes);
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  for (const [name, { data }] of entries) player.write(tensors[name]!, data);
  player.play(program);
  const written = entries.filter(([name]) => {
    const roles: Record<string, string> = kernelRoles[kernel];
    return roles[name] === 'write' || roles[name] === 'update';
  });
  const results: Record<string, Float32Array | Uint32Array> = {};
  for (const [name] of written) results[name] = await player.read(tensors[name]!);
  player.close();
  return results;
}

/** The meaning of a kernel: float64 in plain TypeScript. */
export const reference = openReferenceBackend();

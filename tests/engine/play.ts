import type { Kernel, KernelCall, OperandsOf } from '../../engine/graph/kernel.ts';
import { type Attributes, type KernelName, kernels } from '../../engine/kernels/kernels.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import {
  openReferenceBackend,
  type ReferenceBackend,
} from '../../engine/backends/reference/reference-backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { DType, Tensor } from '../../engine/graph/tensor.ts';
import { extent } from './extent.ts';
import { sharedGpu } from './one-device.ts';

const gpu = sharedGpu;

/** Each variant of the shaders, all on one device. */
export const webgpuVariants = {
  'webgpu, register tiles': () => openWebGpuBackend({ gpu, tiling: 'register', subgroups: false }),
  'webgpu, workgroup tiles': () =>
    openWebGpuBackend({ gpu, tiling: 'workgroup', subgroups: false }),
  'webgpu, subgroups': () => openWebGpuBackend({ gpu, tiling: 'workgroup', subgroups: true }),
} as const satisfies Record<string, () => Promise<Backend>>;

/** Each build of the WASM kernels. Two threads share what is small, too. */
export const wasmVariants = {
  'wasm, relaxed, 2 threads': () => openWasmBackend({ threads: 2, sharedFrom: 0 }),
  'wasm, plain, 2 threads': () =>
    openWasmBackend({ threads: 2, sharedFrom: 0, deterministic: true }),
  'wasm, relaxed, 1 thread': () => openWasmBackend({ threads: 1 }),
  'wasm, plain, 1 thread': () => openWasmBackend({ threads: 1, deterministic: true }),
} as const satisfies Record<string, () => Promise<Backend>>;

/** Every way the engine can play a program on this machine. */
export const variants = { ...webgpuVariants, ...wasmVariants };

/** Variants that tests of ops and networks take in turn; kernels on their own are held to all of them. */
export const triedVariants: Record<string, () => Promise<Backend>> = extent<
  Record<string, () => Promise<Backend>>
>(variants, {
  'webgpu, subgroups': variants['webgpu, subgroups'],
  'wasm, plain, 2 threads': variants['wasm, plain, 2 threads'],
});

export const noParameters = layOutParameters([]);

export interface OperandData {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: Float32Array | Uint32Array;
}

export type KernelCase<K extends KernelName> = {
  readonly kernel: K;
  readonly operands: { readonly [P in keyof Operands<K>]: OperandData };
  readonly attributes: Attributes<K>;
};

type Operands<K extends KernelName> = OperandsOf<(typeof kernels)[K]['operands']>;

/** A case as a call: shapes stand in for tensors, and binders look at nothing else. */
export function callOf({ kernel, ...rest }: KernelCase<KernelName>): KernelCall {
  return { kernel: kernels[kernel], ...rest } as unknown as KernelCall;
}

/** The contents of a kernel's written operands, by name. */
export type Written = Record<string, Float32Array | Uint32Array>;

/** Runs one kernel on its own and returns what its written operands hold afterwards. */
export async function runKernel<K extends KernelName>(
  backend: Backend,
  test: KernelCase<K>,
): Promise<Written> {
  const [written] = await runKernels(backend, [test]);
  return written!;
}

/** Runs cases on operands of their own in one program, so that their pipelines compile side by side. */
export async function runKernels<K extends KernelName>(
  backend: Backend,
  cases: readonly KernelCase<K>[],
): Promise<Written[]> {
  const graph = new Graph('cases', noParameters);
  const traced = cases.map((test, index) => traceCase(graph, test, index));
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  for (const { tensor, data } of traced.flat()) player.write(tensor, data);
  player.play(program);
  const results: Written[] = [];
  for (const operands of traced) {
    const written: Written = {};
    for (const { name, tensor, role } of operands) {
      if (role === 'write' || role === 'update') written[name] = await player.read(tensor);
    }
    results.push(written);
  }
  player.close();
  return results;
}

interface TracedOperand {
  readonly name: string;
  readonly tensor: Tensor;
  readonly data: OperandData['data'];
  readonly role: string | undefined;
}

function traceCase<K extends KernelName>(
  graph: Graph,
  { kernel, operands, attributes }: KernelCase<K>,
  index: number,
): TracedOperand[] {
  const row: Kernel = kernels[kernel];
  const given = Object.entries(operands as Record<string, OperandData>);
  const traced = given.map(([name, { dtype, shape, data }]) => ({
    name,
    tensor: graph.local(`${name} ${index}`, dtype, shape),
    data,
    role: row.operands[name],
  }));
  graph.call(row, Object.fromEntries(traced.map(({ name, tensor }) => [name, tensor])), attributes);
  return traced;
}

/** The meaning of a kernel: float64 in plain TypeScript. */
export const reference: ReferenceBackend = openReferenceBackend();

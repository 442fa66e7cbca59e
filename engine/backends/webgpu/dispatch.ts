import type { KernelCall, KernelName } from '../../graph/kernel-table.ts';
import type { NeuronModel } from '../../graph/neuron-model.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import type { ShaderVariant } from './link-shader.ts';
import type { DeviceProfile } from './profile.ts';

/** A call as the device sees it: which shader variant, on how many workgroups. */
export interface Dispatch extends ShaderVariant {
  readonly workgroups: readonly [x: number, y: number];
  /** Operands that the shader takes, where it leaves the last ones aside. */
  readonly bindings?: number;
  /** The neuron model whose `step` the shader calls: WGSL of its own, else ours of that name. */
  readonly model?: Pick<NeuronModel, 'name' | 'wgsl'>;
}

export type Call<K extends KernelName> = Extract<KernelCall, { kernel: K }>;
/** Chooses the shader and the grid of one kernel. */
export type Binder<K extends KernelName> = (call: Call<K>, profile: DeviceProfile) => Dispatch;

const WORKGROUP = 64;
/** Invocations that share a row where a GPU has no subgroups. */
const TREE_LANES = 64;

/** One invocation for each of `invocations` elements, on a one-dimensional grid folded over x and y. */
export function perElement(
  path: string,
  call: KernelCall,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  return {
    ...variant(path, call, { WORKGROUP }),
    workgroups: fold(Math.ceil(invocations / WORKGROUP), profile),
  };
}

/** As many invocations for each of `rows` rows as suit the device (shaders/lib/rows.wgsl). */
export function perRow(
  path: string,
  call: KernelCall,
  rows: number,
  profile: DeviceProfile,
): Dispatch {
  if (profile.tiling === 'register' && profile.subgroupLanes === undefined) {
    const workgroup = rows === 1 ? 1 : WORKGROUP;
    const single = variant(path, call, { WORKGROUP: workgroup, LANES: 1 }, { SINGLE: true });
    return { ...single, workgroups: fold(Math.ceil(rows / workgroup), profile) };
  }
  const lanes = profile.subgroupLanes ?? TREE_LANES;
  const conditions = { SUBGROUPS: profile.subgroupLanes !== undefined };
  const shared = variant(path, call, { WORKGROUP: lanes, LANES: lanes }, conditions);
  return { ...shared, workgroups: fold(rows, profile) };
}

/**
 * The variant a call asks for: numeric attributes become constants, booleans and strings conditions
 * (`surrogate: 'atan'` sets SURROGATE_ATAN), and operands that are present set one of their own name.
 */
export function variant(
  path: string,
  call: KernelCall,
  constants: Readonly<Record<string, number>> = {},
  conditions: Readonly<Record<string, boolean>> = {},
): ShaderVariant {
  const numbers: Record<string, number> = {};
  const flags: Record<string, boolean> = {};
  for (const [name, value] of Object.entries<unknown>({ ...call.attributes })) {
    const upper = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    if (typeof value === 'number') numbers[upper] = value;
    else if (typeof value === 'boolean') flags[upper] = value;
    else if (typeof value === 'string') flags[`${upper}_${value.toUpperCase()}`] = true;
  }
  if (numbers['WIDTH'] !== undefined) numbers['WORDS'] = wordsPerRow(numbers['WIDTH']);
  for (const name of ['bias', 'residual', 'weights']) {
    flags[name.toUpperCase()] = (call.operands as Record<string, unknown>)[name] !== undefined;
  }
  return { path, constants: { ...numbers, ...constants }, conditions: { ...flags, ...conditions } };
}

/** The same with more conditions. */
export function withConditions(dispatch: Dispatch, conditions: Dispatch['conditions']): Dispatch {
  return { ...dispatch, conditions: { ...dispatch.conditions, ...conditions } };
}

/** Elements of the rows of a call. */
export function elements({ rows, width }: { rows: number; width: number }): number {
  return rows * width;
}

type HeadCall = Extract<KernelCall, { attributes: { heads: number; headWidth: number } }>;

/** `perElement` on spikes of queries, keys and values side by side. */
export function perHead(
  path: string,
  call: HeadCall,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  const { heads, headWidth } = call.attributes;
  const dispatch = perElement(path, call, invocations, profile);
  const WORDS = wordsPerRow(3 * heads * headWidth);
  return { ...dispatch, constants: { ...dispatch.constants, WORDS } };
}

/** Splits a count of workgroups over two dimensions, as each is limited. */
export function fold(count: number, { maxWorkgroups }: DeviceProfile): readonly [number, number] {
  const y = Math.max(1, Math.ceil(count / maxWorkgroups));
  return [Math.max(1, Math.ceil(count / y)), y];
}

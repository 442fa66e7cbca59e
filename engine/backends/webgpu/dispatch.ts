import { derivedOf, type KernelCall } from '../../graph/kernel.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import type { NeuronModel } from '../../kernels/neuron-model.ts';
import { variantOf } from '../../kernel-language/written-kernel.ts';
import { generate } from './generate.ts';
import type { BoundVariant } from './link-shader.ts';
import type { DeviceProfile } from './profile.ts';

/** A call as the device sees it: which shader variant, on how many workgroups. */
export interface Dispatch extends BoundVariant {
  readonly workgroups: readonly [x: number, y: number];
  /** The shader itself and the files that it calls, where it is made from equations. */
  readonly generated?: { readonly code: string; readonly libraries: readonly string[] };
  /** The neuron model whose `step` the shader calls: WGSL of its own, else ours of that name. */
  readonly model?: Pick<NeuronModel, 'name' | 'wgsl' | 'written'>;
}

/** A call whose attributes are known. */
type CallWith<A> = KernelCall & { readonly attributes: A };
/** Chooses the shader and the grid of a call. */
export type Binder<A> = (call: CallWith<A>, profile: DeviceProfile) => Dispatch;

/** Parts of a variant that do not follow from the kernel's row. */
interface Extras {
  /** Path of the shader, where it is not the kernel's own. */
  readonly path?: string;
  /** Names that it has for operands, where these are not their own. */
  readonly names?: Readonly<Record<string, string>>;
  readonly constants?: Readonly<Record<string, number>>;
  readonly conditions?: Readonly<Record<string, boolean>>;
}

type ExtrasOf<A> = (attributes: A) => Extras;
const NONE = (): Extras => ({});

const WORKGROUP = 64;
/** Invocations that share a row where a GPU has no subgroups. */
const TREE_LANES = 64;

/** One invocation for each of `count` elements, on a one-dimensional grid folded over x and y. */
export function elements<A>(count: (a: A) => number, extras: ExtrasOf<A> = NONE): Binder<A> {
  return (call, profile) => {
    const groups = Math.ceil(count(call.attributes) / WORKGROUP);
    const shader = variant(call, extras(call.attributes), { WORKGROUP });
    return { ...shader, workgroups: fold(groups, profile) };
  };
}

/** As many invocations for each of `count` rows as suit the device (shaders/lib/rows.wgsl). */
export function rows<A>(count: (a: A) => number): Binder<A> {
  return (call, profile) => {
    const found = count(call.attributes);
    const { subgroupLanes, tiling } = profile;
    if (tiling === 'register' && subgroupLanes === undefined) {
      const workgroup = found === 1 ? 1 : WORKGROUP;
      const constants = { WORKGROUP: workgroup, LANES: 1 };
      const single = variant(call, { conditions: { SINGLE: true } }, constants);
      return { ...single, workgroups: fold(Math.ceil(found / workgroup), profile) };
    }
    const lanes = subgroupLanes ?? TREE_LANES;
    const conditions = { SUBGROUPS: subgroupLanes !== undefined };
    const shared = variant(call, { conditions }, { WORKGROUP: lanes, LANES: lanes });
    return { ...shared, workgroups: fold(found, profile) };
  };
}

/** `count` workgroups of a size that the shader itself declares. */
export function workgroups<A>(count: (a: A) => number, extras: ExtrasOf<A> = NONE): Binder<A> {
  return (call, profile) => ({
    ...variant(call, extras(call.attributes)),
    workgroups: fold(count(call.attributes), profile),
  });
}

/**
 * The variant a call asks for: numeric attributes, and numbers that follow from them, become constants, booleans and strings conditions
 * (`surrogate: 'atan'` sets SURROGATE_ATAN), and an optional operand that is present sets one of its name.
 * HELD: the current is the same in every step and stored once.
 */
export function variant(
  call: KernelCall,
  { path, names, ...extras }: Extras = {},
  constants: Readonly<Record<string, number>> = {},
): BoundVariant {
  const { area, name, operands } = call.kernel;
  const { numbers, flags } = namesOf({ ...call.attributes, ...derivedOf(call) });
  const { WIDTH, STEPS = 1, CURRENT_STEPS } = numbers;
  const words = WIDTH === undefined ? {} : { WORDS: wordsPerRow(WIDTH) };
  return {
    path: path ?? `${area}/${name}`,
    operands: Object.keys(operands).map((one) => names?.[one] ?? TAKEN[one] ?? snakeCase(one)),
    constants: { ...words, ...numbers, ...constants, ...extras.constants },
    conditions: {
      ...flags,
      HELD: CURRENT_STEPS === 1 && STEPS > 1,
      ...presentIn(call),
      ...extras.conditions,
    },
  };
}

/** The shader of a kernel that is written in the kernel language. */
export function generatedDispatch(call: KernelCall, profile: DeviceProfile): Dispatch {
  const { area, name, operands } = call.kernel;
  const { tiling, subgroupLanes } = profile;
  const isProcessor = tiling === 'register';
  const names = Object.keys(operands);
  const single = isProcessor && subgroupLanes === undefined;
  const kind = single ? 'single' : subgroupLanes === undefined ? 'tree' : 'subgroups';
  const { workgroups: count, ...generated } = generate(variantOf(call).body, {
    name,
    packing: isProcessor ? 'word' : 'lanes',
    binding: (operand) => names.indexOf(operand),
    attribute: (attribute) => Number(call.attributes[attribute]),
    row: { kind, lanes: subgroupLanes ?? TREE_LANES },
  });
  const path = `${area}/${name}`;
  return { path, constants: {}, conditions: {}, generated, workgroups: fold(count, profile) };
}

function namesOf(attributes: KernelCall['attributes']) {
  const numbers: Record<string, number> = {};
  const flags: Record<string, boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'number') numbers[upperCase(name)] = value;
    else if (typeof value === 'boolean') flags[upperCase(name)] = value;
    else if (typeof value === 'string') flags[`${upperCase(name)}_${value.toUpperCase()}`] = true;
  }
  return { numbers, flags };
}

/** Whether each optional operand is present. */
function presentIn({ kernel, operands }: KernelCall): Readonly<Record<string, boolean>> {
  const optional = Object.entries(kernel.operands).filter(([, role]) => role === 'read?');
  const present = optional.map(([name]) => [upperCase(name), operands[name] !== undefined]);
  return Object.fromEntries(present);
}

/** Names of shaders for operands whose own are taken, by WGSL and by the module of constants. */
const TAKEN: Readonly<Record<string, string>> = { target: 'targets', constants: 'numbers' };

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function upperCase(name: string): string {
  return snakeCase(name).toUpperCase();
}

/** Splits a count of workgroups over two dimensions, as each is limited. */
export function fold(count: number, { maxWorkgroups }: DeviceProfile): readonly [number, number] {
  const y = Math.max(1, Math.ceil(count / maxWorkgroups));
  return [Math.max(1, Math.ceil(count / y)), y];
}

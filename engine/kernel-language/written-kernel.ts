import type { Kernel, KernelCall } from '../graph/kernel.ts';
import type { Body } from './body.ts';
import { attributesOf, type Choices, type Definition, parseBody, type Row } from './parse-body.ts';

/**
 * Gives what a kernel computes for a choice of its named attributes, flags, and optional operands (whether
 * each is present). It reads the choices that matter, and no others: each makes kernels of their own.
 */
export type Writing = (choices: Choices, row: Row) => Body;

/** A kernel that is written in the kernel language. */
export interface WrittenKernel extends Kernel {
  readonly write: Writing;
}

export function isWritten(kernel: Kernel): kernel is WrittenKernel {
  return 'write' in kernel;
}

/** Equations as the writing of a kernel. */
export function equations(definition: Definition | ((choices: Choices) => Definition)): Writing {
  return (choices, row) =>
    parseBody(row, typeof definition === 'function' ? definition(choices) : definition, choices);
}

/** A kernel under some choices. */
export interface Variant {
  /** Name of the kernel with the choices that it depends on, such as `lif_backward.atan`. */
  readonly name: string;
  readonly body: Body;
  /** The attributes that it takes as numbers, in this order. */
  readonly attributes: ReadonlyMap<string, 'int' | 'float'>;
}

const known = new WeakMap<Kernel, Map<string, Variant>>();

/** The variant that a call asks for, written once for all calls alike. */
export function variantOf({ kernel, operands, attributes }: KernelCall): Variant {
  if (!isWritten(kernel)) throw new Error(`${kernel.name} is not written in the kernel language`);
  const choices: Record<string, string | boolean> = {};
  for (const [name, values] of Object.entries(choicesOf(kernel))) {
    const value =
      kernel.operands[name] === 'read?' ? operands[name] !== undefined : attributes[name];
    choices[name] = values.find((one) => one === value) ?? values[0] ?? false;
  }
  const key = JSON.stringify(choices);
  const variants = known.get(kernel) ?? new Map<string, Variant>();
  known.set(kernel, variants);
  const variant = variants.get(key) ?? writeVariant(kernel, choices);
  variants.set(key, variant);
  return variant;
}

type Values = readonly (string | boolean)[];

/** The variants of a kernel, each once; of the values that a choice may have those that `pick` leaves. */
export function variantsOf(
  kernel: WrittenKernel,
  pick: (choice: string, values: Values) => Values = (_, values) => values,
): Variant[] {
  const all = choicesOf(kernel);
  const variants: Variant[] = [];
  const open: Choices[] = [{}];
  for (let choices = open.pop(); choices !== undefined; choices = open.pop()) {
    const missing = new Set<string>();
    const variant = writeVariant(kernel, choices, missing);
    const [name] = missing;
    if (name === undefined) variants.push(variant);
    else for (const value of pick(name, all[name] ?? [])) open.push({ ...choices, [name]: value });
  }
  return variants;
}

/** The values that each choice may have. */
function choicesOf({ operands, attributes }: Kernel): Readonly<Record<string, Values>> {
  const choices: Record<string, Values> = {};
  for (const [name, role] of Object.entries(operands)) {
    if (role === 'read?') choices[name] = [false, true];
  }
  for (const [name, type] of Object.entries(attributes)) {
    if (type === 'flag' || type === 'flag?') choices[name] = [false, true];
    else if (isNames(type)) choices[name] = type;
    else if (typeof type === 'object' && 'oneOf' in type) choices[name] = Object.keys(type.oneOf);
  }
  return choices;
}

function isNames(type: Kernel['attributes'][string]): type is readonly string[] {
  return Array.isArray(type);
}

/** Writes a kernel and notes which choices it depends on; those without a value are `missing`. */
function writeVariant(
  kernel: WrittenKernel,
  choices: Choices,
  missing = new Set<string>(),
): Variant {
  const all = choicesOf(kernel);
  const read = new Set<string>();
  const watched = new Proxy(choices, {
    get(target, name) {
      if (typeof name !== 'string' || !Object.hasOwn(all, name)) return undefined;
      read.add(name);
      if (!Object.hasOwn(target, name)) missing.add(name);
      return target[name] ?? all[name]?.[0];
    },
  });
  const body = kernel.write(watched, kernel);
  const values = [...read].toSorted().map((name) => spell(name, choices[name]));
  const name = [kernel.name, ...values.filter((value) => value !== '')].join('.');
  return { name, body, attributes: attributesOf(kernel, choices) };
}

function spell(name: string, value: string | boolean | undefined): string {
  return typeof value === 'string' ? value : value === true ? name : '';
}

import type { KernelCall } from '../../graph/kernel.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { Kernel } from './schedule.ts';

/** A float among the arguments; the others are whole numbers and addresses. */
interface Real {
  readonly real: number;
}

export type Argument = number | Real;

/** One kernel of the module over a number of items. */
export interface Command {
  readonly kernel: string;
  readonly items: number;
  /** Items that a thread takes at a time. */
  readonly grain: number;
  readonly args: readonly Argument[];
  /** Bytes of scratch each thread needs. */
  readonly scratchBytes?: number;
  /** Makes the kernel from the memory, where it is JavaScript: the calling thread runs it, the others wait. */
  readonly hosted?: (buffer: ArrayBufferLike) => Kernel;
}

/** The memory and threads that a call is played with. */
export interface Site {
  /** Address of a tensor; 0 for one that is absent. */
  at(tensor: Tensor | undefined): number;
  /** Address of memory that the commands of one call share, and that means nothing to the next call. */
  readonly shared: number;
  readonly threads: number;
}

/** The commands of a call in order, and the bytes at `site.shared` they use. */
export interface Bound {
  readonly commands: readonly Command[];
  readonly sharedBytes?: number;
}

type CallWith<A> = KernelCall & { readonly attributes: A };
export type Binder<A> = (call: CallWith<A>, site: Site) => Bound;

export function real(value: number): Real {
  return { real: value };
}

/** Items a thread takes at a time so that each thread comes by several times, as some are slower. */
export function grainOf(items: number, threads: number, minimum = 1): number {
  const TURNS = 8;
  return Math.max(minimum, Math.ceil(items / (threads * TURNS)));
}

/** Deviations of a command from what follows from its kernel's row. */
interface Plan<A> {
  /** The kernel of the module, where it has another name. */
  readonly kernel?: string;
  /** Items that a thread takes at least; `all` for work that is too little to share. */
  readonly grain?: number | 'all';
  /** Bytes of scratch that each thread needs. */
  readonly scratch?: (a: A) => number;
  /** Numbers that follow from the attributes, appended to the arguments. */
  readonly derived?: (a: A, site: Site) => readonly Argument[];
  /** The arguments, where the kernel takes others or in another order. */
  readonly args?: (call: CallWith<A>, site: Site) => readonly Argument[];
}

/** A call that is one command over `items`. */
export function over<A>(items: (a: A, site: Site) => number, plan: Plan<A> = {}): Binder<A> {
  return (call, site) => {
    const { attributes } = call;
    const count = items(attributes, site);
    const args = plan.args?.(call, site) ?? argumentsOf(call, site);
    return {
      commands: [
        {
          kernel: plan.kernel ?? call.kernel.name,
          items: count,
          grain: plan.grain === 'all' ? 1 : grainOf(count, site.threads, plan.grain),
          args: plan.derived ? [...args, ...plan.derived(attributes, site)] : args,
          ...(plan.scratch && { scratchBytes: plan.scratch(attributes) }),
        },
      ],
    };
  };
}

/** The arguments of a kernel: its operands and then its attributes, in the order of its row. */
function argumentsOf({ kernel, operands, attributes }: KernelCall, { at }: Site): Argument[] {
  const tensors = Object.keys(kernel.operands).map((name) => at(operands[name]));
  const values = Object.entries(kernel.attributes).flatMap(([name, type]): Argument[] => {
    const value = attributes[name];
    if (typeof value === 'boolean') return [Number(value)];
    if (typeof value === 'number') return [type === 'float' ? real(value) : value];
    // Names are passed as their place in the row.
    return Array.isArray(type) ? [type.indexOf(value)] : [];
  });
  return [...tensors, ...values];
}

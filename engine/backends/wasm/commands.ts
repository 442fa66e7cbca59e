import type { KernelCall } from '../../graph/kernel.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { type Argument, packWords, SHARED, type Values, valuesOf, wordsOf } from './arguments.ts';
import type { Kernel } from './schedule.ts';

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

/** Items a thread takes at a time so that each thread comes by several times, as some are slower. */
export function grainOf(items: number, threads: number, minimum = 1): number {
  const TURNS = 8;
  return Math.max(minimum, Math.ceil(items / (threads * TURNS)));
}

/** The grain of items that are large, or of work that is too little to share. */
export const oneByOne = () => 1;

/** One of the kernels that several rows share. */
export function sharedCommand(kernel: keyof typeof SHARED, work: Work, values: Values): Command {
  return { ...work, kernel, args: packWords(kernel, SHARED[kernel], values) };
}

/** The items of a command, and how threads take them. */
type Work = Pick<Command, 'items' | 'grain' | 'scratchBytes'>;

/** Deviations of a command from what follows from its kernel's row. */
interface Plan<A> {
  /** The kernel of the module, where it has another name; it takes the words of the row all the same. */
  readonly kernel?: string | ((a: A) => string);
  /** Items that a thread takes at least, or exactly. */
  readonly grain?: number | ((site: Site, items: number) => number);
  /** Bytes of scratch that each thread needs. */
  readonly scratch?: (a: A) => number;
  /** Values of the words that arguments.ts adds to the row. */
  readonly added?: (a: A, site: Site) => Values;
  /** Commands to be done before, of which the kernel finds the result in the memory that commands share. */
  readonly before?: (call: CallWith<A>, site: Site, args: readonly Argument[]) => Bound;
}

/** A call that is one command over `items`, on the words of its kernel's row. */
export function over<A>(items: (a: A, site: Site) => number, plan: Plan<A> = {}): Binder<A> {
  return (call, site) => {
    const { attributes } = call;
    const { kernel = call.kernel.name, grain, scratch } = plan;
    const count = items(attributes, site);
    const values = { ...valuesOf(call, site), ...plan.added?.(attributes, site) };
    const args = packWords(call.kernel.name, wordsOf(call.kernel), values);
    const { commands = [], ...shared } = plan.before?.(call, site, args) ?? {};
    const command = {
      kernel: typeof kernel === 'string' ? kernel : kernel(attributes),
      items: count,
      grain: typeof grain === 'function' ? grain(site, count) : grainOf(count, site.threads, grain),
      args,
      ...(scratch && { scratchBytes: scratch(attributes) }),
    };
    return { commands: [...commands, command], ...shared };
  };
}

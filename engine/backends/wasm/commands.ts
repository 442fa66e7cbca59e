import type { KernelCall, KernelName } from '../../graph/kernel-table.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { Kernel } from './schedule.ts';

/** A float among the arguments; the others are whole numbers and addresses. */
export interface Real {
  readonly real: number;
}

/** One kernel of the module over a number of items. */
export interface Command {
  readonly kernel: string;
  readonly items: number;
  /** Items that a thread takes at a time. */
  readonly grain: number;
  readonly args: readonly (number | Real)[];
  /** Bytes of scratch each thread needs. */
  readonly scratchBytes?: number;
  /** Makes the kernel from the memory, where it is JavaScript: the calling thread runs it, the others wait. */
  readonly hosted?: (buffer: ArrayBufferLike) => Kernel;
}

/** Where a call's operands lie. */
export interface Site {
  /** Address of a tensor; 0 for one that is absent. */
  at(tensor: Tensor | undefined): number;
  /** Address of memory that the commands of one call share, and that means nothing to the next call. */
  readonly shared: number;
  readonly threads: number;
}

/** How a call is played: its commands in order, and the bytes at `site.shared` they use. */
export interface Bound {
  readonly commands: readonly Command[];
  readonly sharedBytes?: number;
}

export type Call<K extends KernelName> = Extract<KernelCall, { kernel: K }>;
export type WasmBinder<K extends KernelName> = (call: Call<K>, site: Site) => Bound;
export type WasmBinders<K extends KernelName> = { readonly [P in K]: WasmBinder<P> };

export function real(value: number): Real {
  return { real: value };
}

/** A call that is one command. */
export function single(command: Command): Bound {
  return { commands: [command] };
}

/** Items a thread takes at a time so that each thread comes by several times, as some are slower. */
export function grainOf(items: number, threads: number, least = 1): number {
  const TURNS = 8;
  return Math.max(least, Math.ceil(items / (threads * TURNS)));
}

import { operandsOf } from '../../graph/kernel.ts';
import { EngineError } from '../../errors.ts';
import { alignOffset } from '../../graph/memory-plan.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { type Program, sharedTensors } from '../../graph/program.ts';
import { type Block, byteLength, describe, type Tensor } from '../../graph/tensor.ts';

/** The module's own data lies below. */
const FIRST_ADDRESS = 65_536;
const PAGE_BYTES = 65_536;
/** Vector loads may reach this far beyond the last tensor. */
const MARGIN_BYTES = 256;
const MAX_BYTES = 2 ** 32 - PAGE_BYTES;

/** Hands out addresses one after another. */
export interface Allocator {
  /** Address of `bytes` bytes, aligned to 256. */
  take(bytes: number): number;
  /** Address of the next block. */
  readonly end: number;
}

export function createAllocator(): Allocator {
  let end = FIRST_ADDRESS;
  return {
    take(bytes) {
      const address = end;
      end = alignOffset(end + bytes);
      return address;
    },
    get end() {
      return end;
    },
  };
}

/** Addresses of every tensor of the programs. */
export interface Addresses {
  of(tensor: Tensor): number;
}

/**
 * Places parameters, what programs share, one arena for all, and the locals of each; gradients and
 * moments where a program names them: reading takes a quarter of the memory that training takes.
 */
export function placeTensors(
  allocator: Allocator,
  layout: ParameterLayout,
  programs: readonly Program[],
): Addresses {
  const addresses = new Map<Tensor, number>();
  const place = (whole: Tensor, parts: readonly (readonly [Tensor, number])[]) => {
    const start = allocator.take(layout.blockBytes);
    addresses.set(whole, start);
    for (const [tensor, offsetBytes] of parts) addresses.set(tensor, start + offsetBytes);
  };
  const { parameters, values, gradients, momentum, variance } = layout;
  const used = blocksOf(programs);
  place(
    values,
    parameters.map(({ value, offsetBytes }) => [value, offsetBytes]),
  );
  if (used.has('gradients')) {
    place(
      gradients,
      parameters.map(({ gradient, offsetBytes }) => [gradient, offsetBytes]),
    );
  }
  if (used.has('moments')) {
    place(momentum, []);
    place(variance, []);
  }
  for (const tensor of sharedTensors(programs)) {
    addresses.set(tensor, allocator.take(byteLength(tensor)));
  }
  const arena = allocator.take(Math.max(...programs.map((program) => program.arena.arenaBytes)));
  for (const program of programs) {
    const locals = allocator.take(program.localBytes);
    for (const { tensor, offsetBytes } of program.locals)
      addresses.set(tensor, locals + offsetBytes);
    for (const { tensor, offsetBytes } of program.arena.placements) {
      addresses.set(tensor, arena + offsetBytes);
    }
  }
  return {
    of(tensor) {
      const address = addresses.get(tensor);
      if (address !== undefined) return address;
      throw new EngineError('shape-mismatch', `no loaded program holds ${describe(tensor)}`);
    },
  };
}

function blocksOf(programs: readonly Program[]): ReadonlySet<Block> {
  const calls = programs.flatMap((program) => program.calls);
  return new Set(calls.flatMap(operandsOf).map(({ tensor }) => tensor.block));
}

/** Memory of at least `bytes`. Throws EngineError `out-of-memory` naming the bytes. */
export function allocateMemory(bytes: number, isShared: boolean): WebAssembly.Memory {
  const pages = Math.ceil((bytes + MARGIN_BYTES) / PAGE_BYTES);
  if (bytes > MAX_BYTES) {
    throw new EngineError(
      'out-of-memory',
      `the model needs ${bytes} bytes: WASM addresses at most ${MAX_BYTES}`,
    );
  }
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: isShared });
  } catch (cause) {
    throw new EngineError('out-of-memory', `the system cannot give ${bytes} bytes of memory`, {
      cause,
    });
  }
}

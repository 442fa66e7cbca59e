import { EngineError } from '../../errors.ts';
import { alignOffset } from '../../graph/memory-plan.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { describe, type Tensor } from '../../graph/tensor.ts';

/** The module's own data lies below. */
const FIRST_ADDRESS = 65_536;
const PAGE_BYTES = 65_536;
/** Vector loads may reach this far beyond the last tensor. */
const MARGIN_BYTES = 256;
const LARGEST_BYTES = 2 ** 32 - PAGE_BYTES;

/** Hands out addresses one after another. */
export interface Allocator {
  /** Address of `bytes` bytes, aligned to 256. */
  take(bytes: number): number;
  /** Where the next block would begin. */
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

/** Places parameters, gradients, moments, one arena for all programs, and the locals of each. */
export function placeTensors(
  allocator: Allocator,
  layout: ParameterLayout,
  programs: readonly Program[],
): Addresses {
  const addresses = new Map<Tensor, number>();
  const { blockBytes } = layout;
  const values = allocator.take(blockBytes);
  const gradients = allocator.take(blockBytes);
  addresses.set(layout.values, values);
  addresses.set(layout.gradients, gradients);
  addresses.set(layout.momentum, allocator.take(blockBytes));
  addresses.set(layout.variance, allocator.take(blockBytes));
  for (const { value, gradient, offsetBytes } of layout.parameters) {
    addresses.set(value, values + offsetBytes);
    addresses.set(gradient, gradients + offsetBytes);
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

/** Memory of at least `bytes`. Throws EngineError `out-of-memory` naming the bytes. */
export function allocateMemory(bytes: number, isShared: boolean): WebAssembly.Memory {
  const pages = Math.ceil((bytes + MARGIN_BYTES) / PAGE_BYTES);
  if (bytes > LARGEST_BYTES) {
    throw new EngineError(
      'out-of-memory',
      `the model needs ${bytes} bytes: WASM addresses at most ${LARGEST_BYTES}`,
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

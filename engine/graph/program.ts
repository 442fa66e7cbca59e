import { EngineError } from '../errors.ts';
import { type KernelCall, operandsOf } from './kernel.ts';
import { alignOffset, type ArenaPlan, type Lifetime, planArena } from './memory-plan.ts';
import { byteLength, describe, type Tensor } from './tensor.ts';

/** A local tensor's place in its program's persistent block. */
interface LocalPlacement {
  readonly tensor: Tensor;
  readonly offsetBytes: number;
}

/** Data a backend uploads once, when it loads the program. */
export interface Constant {
  readonly tensor: Tensor;
  readonly data: Float32Array | Uint32Array;
}

/**
 * A traced step: a flat list of kernel calls on planned memory. Backends play it; nothing in it says
 * which one does.
 */
export interface Program {
  readonly name: string;
  readonly calls: readonly KernelCall[];
  readonly arena: ArenaPlan;
  readonly locals: readonly LocalPlacement[];
  readonly localBytes: number;
  readonly constants: readonly Constant[];
  /** Persistent tensors that other programs may name, too. */
  readonly shared: readonly Tensor[];
}

/** Plans memory for the traced calls. Throws when a call reads scratch that nothing has written. */
export function buildProgram(
  name: string,
  calls: readonly KernelCall[],
  locals: readonly Tensor[],
  constants: readonly Constant[],
): Program {
  let localBytes = 0;
  const placed = locals.map((tensor) => {
    const offsetBytes = localBytes;
    localBytes = alignOffset(localBytes + byteLength(tensor));
    return { tensor, offsetBytes };
  });
  const arena = planArena(lifetimesOf(name, calls));
  return { name, calls, arena, locals: placed, localBytes, constants, shared: sharedOf(calls) };
}

function sharedOf(calls: readonly KernelCall[]): Tensor[] {
  const tensors = calls.flatMap((call) => operandsOf(call).map(({ tensor }) => tensor));
  return [...new Set(tensors.filter(({ block }) => block === 'shared'))];
}

/** The shared tensors of programs that are loaded together, each once. */
export function sharedTensors(programs: readonly Program[]): readonly Tensor[] {
  return [...new Set(programs.flatMap(({ shared }) => shared))];
}

/** Bytes that programs loaded together need beside their parameters. */
interface ProgramMemory {
  /** One arena for all of them, as large as the largest needs it. */
  readonly arena: number;
  /** Persistent tensors: those of each program, and those they share. */
  readonly lasting: number;
}

/** The blocks that programs share are allocated once, the arena as large as the largest needs it. */
export function memoryOf(programs: readonly Program[]): ProgramMemory {
  const locals = programs.reduce((sum, { localBytes }) => sum + localBytes, 0);
  const shared = sharedTensors(programs).reduce((sum, tensor) => sum + byteLength(tensor), 0);
  return {
    arena: Math.max(...programs.map(({ arena }) => arena.arenaBytes)),
    lasting: locals + shared,
  };
}

function lifetimesOf(program: string, calls: readonly KernelCall[]): Lifetime[] {
  const lives = new Map<Tensor, { first: number; last: number }>();
  for (const [index, call] of calls.entries()) {
    for (const { tensor, role } of operandsOf(call)) {
      if (tensor.block !== 'arena') continue;
      const life = lives.get(tensor);
      if (life) life.last = index;
      else if (role === 'read') {
        throw new EngineError(
          'invalid-structure',
          `${program}: call ${index} (${call.kernel.name}) reads ${describe(tensor)} before anything wrote it`,
        );
      } else lives.set(tensor, { first: index, last: index });
    }
  }
  return [...lives].map(([tensor, life]) => ({ tensor, ...life }));
}

/** The memory plan as text: one line a tensor, then the totals. */
export function formatPlan({ name, calls, arena, localBytes }: Program): string {
  const lines = arena.placements.map(
    ({ tensor, first, last, offsetBytes, sizeBytes }) =>
      `  ${String(offsetBytes).padStart(12)} ${String(sizeBytes).padStart(12)}  ` +
      `${`${first}-${last}`.padStart(9)}  ${describe(tensor)}`,
  );
  return [
    `program ${name}: ${calls.length} kernel calls, ${arena.placements.length} tensors in the arena`,
    `  ${'offset'.padStart(12)} ${'bytes'.padStart(12)}  ${'calls'.padStart(9)}  tensor`,
    ...lines,
    `  arena ${arena.arenaBytes} bytes; live at the peak ${arena.peakBytes}; without sharing ${arena.sumBytes}; ` +
      `lasting ${localBytes}`,
  ].join('\n');
}

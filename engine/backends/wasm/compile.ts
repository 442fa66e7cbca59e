import type { Program } from '../../graph/program.ts';
import { bindCall } from './binders.ts';
import type { Command, Site } from './commands.ts';
import type { Addresses, Allocator } from './memory.ts';
import type { PackedSchedule } from './schedule.ts';

/** A program as commands, with what it needs beside its tensors. */
interface CompiledProgram {
  readonly commands: readonly Command[];
  /** For each command the index of the call it belongs to. */
  readonly callOf: readonly number[];
  readonly sharedBytes: number;
  readonly scratchBytes: number;
}

/** Turns the calls of a program into commands on memory whose places are known. */
export function compileProgram(
  { calls }: Program,
  addresses: Addresses,
  { shared, threads }: Pick<Site, 'shared' | 'threads'>,
): CompiledProgram {
  const site: Site = {
    at: (tensor) => (tensor ? addresses.of(tensor) : 0),
    shared,
    threads,
  };
  const bound = calls.map((call) => bindCall(call, site));
  const commands = bound.flatMap((one) => one.commands);
  return {
    commands,
    callOf: bound.flatMap((one, index) => one.commands.map(() => index)),
    sharedBytes: Math.max(0, ...bound.map(({ sharedBytes = 0 }) => sharedBytes)),
    scratchBytes: Math.max(0, ...commands.map(({ scratchBytes = 0 }) => scratchBytes)),
  };
}

/** Bytes that the arguments of a program take. */
function argumentBytes({ commands }: CompiledProgram): number {
  return 4 * commands.reduce((sum, { args }) => sum + args.length, 0);
}

/** Writes the arguments into memory at `address` and gives the schedule that names them. */
export function packSchedule(
  { commands }: CompiledProgram,
  buffer: ArrayBufferLike,
  address: number,
): PackedSchedule {
  const view = new DataView(buffer);
  const args = new Uint32Array(commands.length);
  let at = address;
  for (const [index, command] of commands.entries()) {
    args[index] = at;
    for (const value of command.args) {
      if (typeof value === 'object') view.setFloat32(at, value.real, true);
      else view.setUint32(at, value, true);
      at += 4;
    }
  }
  return {
    kernels: commands.map(({ kernel }) => kernel),
    items: Int32Array.from(commands, ({ items }) => items),
    grains: Int32Array.from(commands, ({ grain }) => grain),
    args,
  };
}

/** One arena for arguments of all programs. */
export function takeArguments(
  allocator: Allocator,
  programs: readonly CompiledProgram[],
): readonly number[] {
  return programs.map((program) => allocator.take(argumentBytes(program)));
}

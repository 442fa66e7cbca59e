import { operandsOf } from '../graph/kernel.ts';
import type { Player } from '../graph/backend.ts';
import type { Program } from '../graph/program.ts';
import { byteLength } from '../graph/tensor.ts';

/** The time of one kernel in a play of a program. */
export interface KernelProfile {
  readonly kernel: string;
  /** Calls of it in one play. */
  readonly calls: number;
  /** Milliseconds of all of them together, the median over the plays. */
  readonly ms: number;
  /** Bytes of their operands. */
  readonly bytes: number;
}

/** Plays the program a few times with the watch running; the kernel that took longest comes first. */
export async function profileProgram(
  player: Player,
  program: Program,
  plays: number,
): Promise<readonly KernelProfile[]> {
  const timed: Map<string, number>[] = [];
  for (let play = 0; play < plays; play++) {
    timed.push(sumByKernel(program, await player.time(program)));
  }
  const bytes = sumByKernel(program, program.calls.map(bytesOf));
  const calls = sumByKernel(
    program,
    program.calls.map(() => 1),
  );
  return [...calls]
    .map(([kernel, count]) => ({
      kernel,
      calls: count,
      ms: median(timed.map((times) => times.get(kernel) ?? 0)),
      bytes: bytes.get(kernel) ?? 0,
    }))
    .toSorted((a, b) => b.ms - a.ms);
}

/** The profile as a table, with the totals in the last line. */
export function formatProfile(kernels: readonly KernelProfile[]): string {
  const sum = (of: (kernel: KernelProfile) => number) => kernels.reduce((s, k) => s + of(k), 0);
  const total = { calls: sum((k) => k.calls), ms: sum((k) => k.ms), bytes: sum((k) => k.bytes) };
  const rows = kernels.map((one) =>
    formatLine(one.kernel, [...numbersOf(one), percent(one.ms / total.ms)]),
  );
  const head = formatLine('kernel', ['calls', 'ms', 'MB', 'share']);
  return [head, ...rows, formatLine('all', numbersOf(total))].join('\n');
}

function numbersOf({ calls, ms, bytes }: Omit<KernelProfile, 'kernel'>): string[] {
  return [String(calls), ms.toFixed(3), megabytes(bytes)];
}

function formatLine(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(32)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}

function sumByKernel({ calls }: Program, values: ArrayLike<number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [index, { kernel }] of calls.entries()) {
    const { name } = kernel;
    sums.set(name, (sums.get(name) ?? 0) + (values[index] ?? 0));
  }
  return sums;
}

function bytesOf(call: Program['calls'][number]): number {
  return operandsOf(call).reduce((sum, { tensor }) => sum + byteLength(tensor), 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

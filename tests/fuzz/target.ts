import type { Draws } from './draws.ts';
import { mutateBytes } from './mutate.ts';
import { mutateJson } from './mutate-json.ts';

/** A reader of bytes that anybody may have sent. */
export interface Target {
  readonly name: string;
  /** Valid inputs, from which the cases are made. */
  seeds(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** How they are changed; bytes where it is left out. */
  readonly form?: 'bytes' | 'json';
  /** Makes sums right again in half of the cases, so that what lies behind them is reached. */
  readonly mend?: (bytes: Uint8Array) => Uint8Array;
  /** Reads all of it, as its callers do. */
  read(bytes: Uint8Array): unknown;
  /** Whether it refused as it says it does; anything else that it throws is a fault. */
  isRefusal(error: unknown): boolean;
  /** Whether a process of ours ends it where it does not come to an end, as the library it uses cannot. */
  readonly isCutOff?: true;
  /** Whether its library gave up, so that nothing more can be read in this thread: callers take a thread for each. */
  readonly isSpent?: () => boolean;
}

/** The bytes of a case. */
export function caseOf(target: Target, seeds: readonly Uint8Array[], draws: Draws): Uint8Array {
  const mutate = target.form === 'json' ? mutateJson : mutateBytes;
  const bytes = mutate(seeds, draws);
  return target.mend && draws.chance(0.5) ? target.mend(bytes) : bytes;
}

/** The outcome of a case: read, refused with a documented error, or `fault` with the reason. */
export async function outcomeOf(
  target: Target,
  bytes: Uint8Array,
): Promise<'read' | 'refused' | { readonly fault: string }> {
  try {
    const result = target.read(bytes);
    if (result instanceof Promise) await result;
    return 'read';
  } catch (error) {
    if (target.isRefusal(error)) return 'refused';
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const texts = (...all: readonly string[]): Uint8Array[] => all.map(bytesOf);
export const jsons = (...all: readonly unknown[]): Uint8Array[] =>
  all.map((value) => bytesOf(JSON.stringify(value)));

import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import { EngineError } from '../../errors.ts';

/** Rows of the programs that read tokens: the smallest that holds all reads is played. */
const SIZES = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/** Sizes of programs for up to `most` reads at once, ascending; the last holds them all. */
export function readingSizes(most: number): number[] {
  return [...SIZES.filter((size) => size < most), most];
}

/** The smallest program that holds `count` reads. Throws EngineError `invalid-setting` for more than any does. */
export function programFor<P extends { readonly rows: number }>(
  programs: readonly P[],
  count: number,
): P {
  const found = programs.find(({ rows }) => rows >= count);
  if (found) return found;
  const most = programs.at(-1)?.rows ?? 0;
  throw invalid(`${count} reads at once: expected at most ${most}, one for each slot`);
}

export function checkSlots(slots: number): void {
  if (Number.isInteger(slots) && slots >= 1) return;
  throw invalid(`slots is ${slots}: expected a whole number of at least 1`);
}

export function checkSlot(slot: number, slots: number): void {
  if (Number.isInteger(slot) && slot >= 0 && slot < slots) return;
  throw invalid(`slot is ${slot}: expected a whole number from 0 to ${slots - 1}`);
}

export function checkToken(token: number, vocabulary: number): void {
  if (Number.isInteger(token) && token >= 0 && token < vocabulary) return;
  throw invalid(`token is ${token}: expected a whole number from 0 to ${vocabulary - 1}`);
}

export function checkReads(reads: readonly SlotRead[], slots: number, vocabulary: number): void {
  const taken = new Set<number>();
  for (const { slot, token } of reads) {
    checkSlot(slot, slots);
    if (taken.has(slot)) throw invalid(`slot ${slot} is named twice: expected one token for each`);
    taken.add(slot);
    checkToken(token, vocabulary);
  }
}

/** Lets one task through at a time and refuses others meanwhile. */
export function createTurnstile() {
  let isBusy = false;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (isBusy) {
      throw new EngineError(
        'generator-busy',
        'the model is reading other tokens: expected it to answer first',
      );
    }
    isBusy = true;
    try {
      return await task();
    } finally {
      isBusy = false;
    }
  };
}

function invalid(message: string): EngineError {
  return new EngineError('invalid-setting', message);
}

import type { Player } from '../../graph/backend.ts';
import { EngineError } from '../../errors.ts';
import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import { slotWord } from '../../kernels/slots.ts';
import type { PrefixInputs } from '../captioning/prefix.ts';
import type { BatchedModel, ObservedRead, ReadingProgram } from './batched-model.ts';

/** Programs of a model whose state is kept by slot, and what is known of it. */
interface SlotPrograms {
  readonly vocabulary: number;
  readonly slots: number;
  /** By size, ascending; the last holds all slots. */
  readonly programs: readonly ReadingProgram[];
  /** Reads one token and keeps every spike. */
  readonly observation: ReadingProgram;
  readonly useOf: BatchedModel['useOf'];
  /**
   * Reads what stands in front of a text and gives its tokens; `nextWord` names the slot to each play, see
   * `slotWord`.
   */
  readonly prime?: (
    player: Player,
    inputs: PrefixInputs,
    nextWord: () => Uint32Array,
  ) => Promise<number>;
}

/** A batched model by loaded programs; the slot behind the last one is that of rows that nobody uses. */
export function createSlotModel(
  player: Player,
  { vocabulary, slots, programs, observation, useOf, prime }: SlotPrograms,
): BatchedModel {
  const slotWords = createSlotWords(slots);
  const play = (
    { program, ids, slots: words, rows }: ReadingProgram,
    reads: readonly SlotRead[],
  ) => {
    checkReads(reads, slots, vocabulary);
    const tokens = new Uint32Array(rows);
    const places = new Uint32Array(rows).fill(slotWord(slots, true));
    for (const [row, { slot, token }] of reads.entries()) {
      tokens[row] = token;
      places[row] = slotWords.next(slot);
    }
    player.write(ids, tokens);
    player.write(words, places);
    player.play(program);
  };
  const alone = createTurnstile();
  return {
    slots,
    vocabulary,
    layers: observation.layers,
    clear(slot) {
      checkSlot(slot, slots);
      slotWords.clear(slot);
    },
    read: (reads) =>
      alone(async () => {
        const traced = programFor(programs, reads.length);
        play(traced, reads);
        // Logits are always read as f32.
        const logits = (await player.read(traced.logits)) as Float32Array;
        return logits.subarray(0, reads.length * vocabulary);
      }),
    pass: (reads) => play(programFor(programs, reads.length), reads),
    settled: () => player.settled(),
    observe: (read) =>
      alone(async () => {
        play(observation, [read]);
        return readObservation(player, observation);
      }),
    spikeCounts: async () => {
      const counts = (await player.read(observation.counts)) as Uint32Array;
      return counts.subarray(0, slots * observation.layers.length);
    },
    useOf,
    ...(prime && {
      prime: (slot, inputs) =>
        alone(async () => {
          checkSlot(slot, slots);
          return prime(player, inputs, () => Uint32Array.of(slotWords.next(slot)));
        }),
    }),
    close: () => player.close(),
  };
}

/** Slot words for the next play that reads into each slot. */
function createSlotWords(slots: number) {
  const isFresh = Array.from({ length: slots }, () => true);
  return {
    next(slot: number): number {
      const word = slotWord(slot, isFresh[slot] ?? true);
      isFresh[slot] = false;
      return word;
    },
    clear(slot: number): void {
      isFresh[slot] = true;
    },
  };
}

async function readObservation(
  player: Player,
  { logits, layers, kept }: ReadingProgram,
): Promise<ObservedRead> {
  const [scores, ...spikes] = await Promise.all([
    player.read(logits),
    ...kept.map((tensor) => player.read(tensor)),
  ]);
  return {
    // Logits are always read as f32, spikes as words.
    logits: scores as Float32Array,
    // Layers that fire in front of a text alone are counted and not kept.
    layers: layers.slice(0, kept.length).map(({ name, neurons }, index) => ({
      name,
      neurons,
      spikes: spikes[index] as Uint32Array,
    })),
  };
}

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

import type { Player } from '../../backends/backend.ts';
import { slotWord } from '../../ops/slots.ts';
import type { BatchedModel, ObservedRead } from './batched-model.ts';
import type { PrefixInputs } from '../captioning/prefix.ts';
import type { ReadingProgram } from './reading-program.ts';
import { checkReads, checkSlot, createTurnstile, programFor } from './slot-reads.ts';
import { type SlotRead } from '../../evaluation/text-evaluator.ts';

/** Programs of a model whose state is kept by slot, and what is known of it. */
export interface SlotPrograms {
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

/** What names each slot to the next play that reads into it. */
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

import type { Player } from '../backends/backend.ts';
import { slotWord } from '../ops/slots.ts';
import type { BatchedModel, ObservedRead } from './batched-model.ts';
import type { ReadingProgram } from './dense-chronospike/reading-programs.ts';
import type { SpikeUse } from './dense-chronospike/spike-use.ts';
import { checkReads, checkSlot, createTurnstile, programFor, type SlotRead } from './slot-reads.ts';

/** Programs of a model whose state is kept by slot, and what is known of it. */
export interface SlotPrograms {
  readonly vocabulary: number;
  readonly slots: number;
  /** By size, ascending; the last holds all slots. */
  readonly programs: readonly ReadingProgram[];
  /** Reads one token and keeps every spike. */
  readonly observation: ReadingProgram;
  useOf(counts: Uint32Array, tokens: number): SpikeUse;
}

/** A batched model by loaded programs; the slot behind the last one is that of rows that nobody uses. */
export function createSlotModel(
  player: Player,
  { vocabulary, slots, programs, observation, useOf }: SlotPrograms,
): BatchedModel {
  const isFresh = Array.from({ length: slots }, () => true);
  const play = (
    { program, ids, slots: words, rows }: ReadingProgram,
    reads: readonly SlotRead[],
  ) => {
    checkReads(reads, slots, vocabulary);
    const tokens = new Uint32Array(rows);
    const places = new Uint32Array(rows).fill(slotWord(slots, true));
    for (const [row, { slot, token }] of reads.entries()) {
      tokens[row] = token;
      places[row] = slotWord(slot, isFresh[slot] ?? true);
      isFresh[slot] = false;
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
      isFresh[slot] = true;
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
    close: () => player.close(),
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
    layers: layers.map(({ name, neurons }, index) => ({
      name,
      neurons,
      spikes: spikes[index] as Uint32Array,
    })),
  };
}

import type { Backend, Player } from '../../backends/backend.ts';
import { modelOf, type StoredModel } from '../../checkpoint/checkpoint.ts';
import { slotWord } from '../../ops/slots.ts';
import type { BatchedModel, BatchedModelOptions, ObservedRead } from '../batched-model.ts';
import {
  checkReads,
  checkSlot,
  checkSlots,
  createTurnstile,
  programFor,
  readingSizes,
  type SlotRead,
} from '../slot-reads.ts';
import { createReadingContext, type ReadingProgram, traceReading } from './reading-programs.ts';
import { writeWeights } from './reading-weights.ts';
import { structureFromSpec } from './spec.ts';
import { spikeUseOf } from './spike-use.ts';
import type { ChronospikeStructure } from './structure.ts';

export type { BatchedModel } from '../batched-model.ts';
export type { SlotRead } from '../slot-reads.ts';

/** Builds a model from its own model_spec and loads its parameters once for all sizes of batches. */
export async function openBatchedModel(
  backend: Backend,
  stored: StoredModel,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
  const { spec, layout, values } = modelOf(stored, 'dense_chronospike');
  const structure = structureFromSpec(spec);
  // One more than asked for: rows that nobody uses read into it.
  const context = createReadingContext(layout, structure, { slots: slots + 1, weights });
  const programs = readingSizes(slots).map((rows) => traceReading(context, rows));
  const observation = traceReading(context, 1, { keepsSpikes: true });
  const loaded = [...programs, observation].map(({ program }) => program);
  const player = await backend.load(layout, loaded);
  writeWeights(player, context, values);
  return createBatchedModel(player, { structure, slots, programs, observation });
}

interface Traced {
  readonly structure: ChronospikeStructure;
  readonly slots: number;
  /** By size, ascending; the last holds all slots. */
  readonly programs: readonly ReadingProgram[];
  readonly observation: ReadingProgram;
}

function createBatchedModel(
  player: Player,
  { structure, slots, programs, observation }: Traced,
): BatchedModel {
  const { vocabulary } = structure;
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
    useOf: (counts, tokens) => spikeUseOf(structure, counts, tokens),
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

import type { Backend, Player } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { structureFromSpec } from '../../checkpoint/model-spec.ts';
import { slotWord } from '../../ops/slots.ts';
import {
  checkReads,
  checkSlot,
  checkSlots,
  createTurnstile,
  programFor,
  readingSizes,
  type SlotRead,
} from '../slot-reads.ts';
import {
  createReadingContext,
  type ReadingProgram,
  type SpikingLayer,
  traceReading,
} from './reading-programs.ts';
import { writeWeights } from './reading-weights.ts';
import type { ChronospikeStructure } from './structure.ts';

export type { SlotRead } from '../slot-reads.ts';

export interface BatchedModelOptions {
  /** Sequences whose state is kept on the device at once. */
  readonly slots: number;
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
}

/** What one layer of neurons did while one token was read. */
export interface LayerSpikes {
  readonly name: string;
  readonly neurons: number;
  /** A packed row of `ceil(neurons / 32)` words for each time step, least significant bit first. */
  readonly spikes: Uint32Array;
}

export interface ObservedRead {
  /** `[vocabulary]` */
  readonly logits: Float32Array;
  readonly layers: readonly LayerSpikes[];
}

/**
 * A model that reads one token for each of some sequences at a time; each sequence has a slot with its
 * state. What a sequence gets does not depend on who shares the batch. One call at a time: another one
 * is refused with `generator-busy` until the first has been answered.
 */
export interface BatchedModel {
  readonly slots: number;
  readonly structure: ChronospikeStructure;
  /** The layers of neurons, in the order of the counts. */
  readonly layers: readonly SpikingLayer[];
  /** The next token that `slot` reads begins a new sequence, whose spikes are counted from zero. */
  clear(slot: number): void;
  /**
   * Reads a token for each of some slots and gives the logits of the token after it, `[reads,
   * vocabulary]` in the order of the reads. Throws EngineError `invalid-setting` for a slot that there
   * is not or that is named twice, and for a token outside the alphabet.
   */
  read(reads: readonly SlotRead[]): Promise<Float32Array>;
  /** The same for tokens of a prompt, whose logits nobody asks for: does not wait for the device. */
  pass(reads: readonly SlotRead[]): void;
  /** Waits until all tokens passed so far have been read. */
  settled(): Promise<void>;
  /** Reads one token for one slot and also gives every spike, for a picture. */
  observe(read: SlotRead): Promise<ObservedRead>;
  /** Spikes of each layer since each slot was cleared, `u32[slots][layers]`. */
  spikeCounts(): Promise<Uint32Array>;
  close(): void;
}

/** Builds a model from its own model_spec and loads its parameters once for all sizes of batches. */
export async function openBatchedModel(
  backend: Backend,
  { spec, layout, values }: StoredModel,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
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
    structure,
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

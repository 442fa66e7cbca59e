import type { Backend, Player } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Opened } from '../../evaluation/evaluator.ts';
import type { SpikeCounts } from '../../evaluation/sections.ts';
import type { StreamScorer, WindowScorer } from '../../evaluation/text-evaluator.ts';
import { memoryOf } from '../../graph/program.ts';
import { slotWord } from '../../ops/slots.ts';
import { clearCounts } from '../../train/activity-meter.ts';
import { type LayerCount, traceScoring } from './programs.ts';
import { createReadingContext, type ReadingProgram, traceReading } from './reading-programs.ts';
import { writeWeights } from './reading-weights.ts';
import { type ChronospikeSpec, structureFromSpec } from './spec.ts';
import { spikeUseOf } from './spike-use.ts';
import { spikingLayers } from './spiking-layers.ts';
import type { ChronospikeStructure } from './structure.ts';

/** What a head adds to its state is worth e^-8, a three-thousandth, after so many of its time constants. */
const FORGOTTEN = 8;
const COUNTER_SIZE = 2 ** 32;

/** A stored model that reads `slots` texts at once, each with carried state. */
export async function openStreamScorer(
  backend: Backend,
  { spec, layout, values }: StoredModel<ChronospikeSpec>,
  slots: number,
): Promise<StreamScorer & Opened> {
  const structure = structureFromSpec(spec);
  // One slot more: rows of texts that have ended read into it.
  const context = createReadingContext(layout, structure, { slots: slots + 1, weights: 'float32' });
  const traced = traceReading(context, slots);
  const player = await backend.load(layout, [traced.program]);
  writeWeights(player, context, values);
  const isFresh = new Set(Array.from({ length: slots }, (_, slot) => slot));
  const counter = createSlotCounter(player, traced, slots);
  return {
    slots,
    vocabulary: structure.vocabulary,
    memoryTokens: Math.ceil(FORGOTTEN * Math.max(...structure.tau)),
    memory: { parameters: layout.blockBytes, ...memoryOf([traced.program]) },
    clear: (slot) => isFresh.add(slot),
    async read(reads) {
      const [tokens, places] = [new Uint32Array(slots), new Uint32Array(slots)];
      places.fill(slotWord(slots, true));
      for (const [row, { slot, token }] of reads.entries()) {
        tokens[row] = token;
        places[row] = slotWord(slot, isFresh.delete(slot));
      }
      player.write(traced.ids, tokens);
      player.write(traced.slots, places);
      player.play(traced.program);
      // Logits are always read as f32.
      const logits = (await player.read(traced.logits)) as Float32Array;
      return logits.subarray(0, reads.length * structure.vocabulary);
    },
    spikes: async (units) => countsOf(structure, await counter.read(), units),
    close: () => player.close(),
  };
}

/** Adds up the spikes of all slots by layer, however often the counters on the device pass their end. */
function createSlotCounter(player: Player, { counts, layers }: ReadingProgram, slots: number) {
  const totals = new Float64Array(layers.length);
  let before = new Uint32Array(slots * layers.length);
  return {
    async read(): Promise<Float64Array> {
      // Counters are always u32; the last row is that of nobody.
      const now = (await player.read(counts)) as Uint32Array;
      for (let at = 0; at < before.length; at++) {
        const layer = at % layers.length;
        const more = ((now[at] ?? 0) - (before[at] ?? 0) + COUNTER_SIZE) % COUNTER_SIZE;
        totals[layer] = (totals[layer] ?? 0) + more;
      }
      before = now.slice(0, before.length);
      return totals;
    },
  };
}

/** A stored model that reads `batch` windows of `sequence` tokens at once. */
export async function openWindowScorer(
  backend: Backend,
  { spec, layout, values }: StoredModel<ChronospikeSpec>,
  { batch, sequence }: { readonly batch: number; readonly sequence: number },
): Promise<WindowScorer & Opened> {
  const structure = structureFromSpec(spec);
  const { program, ids, logits, layers } = traceScoring(layout, structure, { batch, sequence });
  const player = await backend.load(layout, [program]);
  player.write(layout.values, values);
  clearCounts(player, layers);
  return {
    batch,
    sequence,
    vocabulary: structure.vocabulary,
    memory: { parameters: layout.blockBytes, ...memoryOf([program]) },
    async read(tokens) {
      player.write(ids, tokens);
      player.play(program);
      // Logits are always read as f32.
      return (await player.read(logits)) as Float32Array;
    },
    spikes: async (units) => countsOf(structure, await readTotals(player, layers), units),
    close: () => player.close(),
  };
}

async function readTotals(player: Player, layers: readonly LayerCount[]): Promise<Float64Array> {
  const totals = new Float64Array(layers.length);
  for (const [index, { counts }] of layers.entries()) {
    for (const count of await player.read(counts)) totals[index] = (totals[index] ?? 0) + count;
  }
  return totals;
}

function countsOf(
  structure: ChronospikeStructure,
  totals: Float64Array,
  units: number,
): SpikeCounts {
  const layers = spikingLayers(structure).map(({ name, neurons }, index) => ({
    name,
    neurons,
    spikes: totals[index] ?? 0,
  }));
  return { use: spikeUseOf(structure, totals, units), steps: structure.steps, units, layers };
}

import type { Player } from '../../graph/backend.ts';
import type { Opened } from '../../evaluation/evaluator.ts';
import type { SpikeCounts } from '../../evaluation/sections.ts';
import type { StreamScorer, WindowScorer } from '../../evaluation/text-evaluator.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { slotWord } from '../../kernels/slots.ts';
import { clearCounts, type LayerCount } from '../../train/spike-statistics.ts';
import type { ReadingProgram } from './batched-model.ts';

/** Facts of a model that scores text. */
interface ScorerFacts {
  readonly player: Player;
  readonly vocabulary: number;
  readonly memory: Opened['memory'];
  /** Spikes and energy of `units` tokens, from the spikes of each layer. */
  countsOf(totals: Float64Array, units: number): SpikeCounts;
}

interface StreamParts extends ScorerFacts {
  /** A row for each slot; the slot behind the last one is that of nobody. */
  readonly traced: ReadingProgram;
  readonly slots: number;
  readonly memoryTokens: number;
}

const COUNTER_SIZE = 2 ** 32;

/** Reads a token for each of some texts at a time by one program that carries their states. */
export function createStreamScorer({
  player,
  traced,
  slots,
  vocabulary,
  memoryTokens,
  memory,
  countsOf,
}: StreamParts): StreamScorer & Opened {
  const isFresh = new Set(Array.from({ length: slots }, (_, slot) => slot));
  const counter = createSlotCounter(player, traced, slots);
  return {
    slots,
    vocabulary,
    memoryTokens,
    memory,
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
      return logits.subarray(0, reads.length * vocabulary);
    },
    spikes: async (units) => countsOf(await counter.read(), units),
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

/** A program that reads windows, and the counters of its layers of neurons. */
export interface WindowProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  /** `[1, batch * sequence, vocabulary]` */
  readonly logits: Tensor;
  /** None where no neuron fires. */
  readonly layers: readonly LayerCount[];
}

interface WindowParts extends ScorerFacts {
  readonly traced: WindowProgram;
  readonly batch: number;
  readonly sequence: number;
}

/** Reads windows without context by one program. */
export function createWindowScorer({
  player,
  traced: { program, ids, logits, layers },
  batch,
  sequence,
  vocabulary,
  memory,
  countsOf,
}: WindowParts): WindowScorer & Opened {
  clearCounts(player, layers);
  return {
    batch,
    sequence,
    vocabulary,
    memory,
    async read(tokens) {
      player.write(ids, tokens);
      player.play(program);
      // Logits are always read as f32.
      return (await player.read(logits)) as Float32Array;
    },
    spikes: async (units) => countsOf(await readTotals(player, layers), units),
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

/** Layers of neurons with what each fired. */
export function spikesOfLayers(
  layers: readonly { readonly name: string; readonly neurons: number }[],
  totals: Float64Array,
): SpikeCounts['layers'] {
  return layers.map(({ name, neurons }, index) => ({ name, neurons, spikes: totals[index] ?? 0 }));
}

import { memoryKernels } from '../../kernels/memory.ts';
import type { Player } from '../../graph/backend.ts';
import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { cachedAttention } from '../../ops/cached-attention.ts';
import { embedding } from '../../ops/embedding.ts';
import { keep } from '../../ops/keep.ts';
import { programFor } from '../language/slot-model.ts';
import { transformerLogits, type TransformerMixing } from './forward.ts';
import type { TransformerStructure } from './structure.ts';

/** Device state shared by the programs that read tokens: keys and values of the sequences they keep. */
interface KeyValueCache {
  /** Sequences kept. */
  readonly slots: number;
  /** By block: `[slots * sequence, 2 width]`. */
  readonly blocks: readonly Tensor[];
}

export function createKeyValueCache(
  { blocks, sequence, width }: TransformerStructure,
  slots: number,
): KeyValueCache {
  const shape = [slots * sequence, 2 * width];
  return {
    slots,
    blocks: Array.from({ length: blocks }, (_, block) =>
      sharedTensor(`blocks.${block}.keys and values`, 'f32', shape),
    ),
  };
}

/** Reads some tokens of any sequences and predicts the one after each. */
export interface TransformerReading {
  readonly program: Program;
  readonly rows: number;
  /** `u32[rows]`: the tokens to read. */
  readonly ids: Tensor;
  /** `u32[rows]`: the place of each in its sequence. */
  readonly places: Tensor;
  /** `u32[rows]`: `slot * sequence + place` of each, none twice but those that nobody reads. */
  readonly cells: Tensor;
  /** `[1, rows, vocabulary]`: for the token after each. */
  readonly logits: Tensor;
}

export function traceTransformerReading(
  layout: ParameterLayout,
  structure: TransformerStructure,
  cache: KeyValueCache,
  rows: number,
): TransformerReading {
  const graph = new Graph(`read ${rows}`, layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const places = graph.local('places', 'u32', [rows]);
  const cells = graph.local('cells', 'u32', [rows]);
  const mixing = cachedMixing(graph, structure, { cache, places, cells });
  const logits = keep(graph, 'kept logits', transformerLogits({ graph, structure, mixing }, ids));
  return { program: graph.build(), rows, ids, places, cells, logits };
}

interface Cells {
  readonly cache: KeyValueCache;
  readonly places: Tensor;
  readonly cells: Tensor;
}

/** Single tokens of any sequences, which see what the cache holds of theirs. */
function cachedMixing(
  graph: Graph,
  { heads, sequence }: TransformerStructure,
  { cache, places, cells }: Cells,
): TransformerMixing {
  return {
    place: (tokens, table) => placedBy(graph, tokens, table, places),
    attend(qkv, block) {
      // There is one for each block.
      const kept = cache.blocks[block] as Tensor;
      return cachedAttention(graph, qkv, { heads, sequence, cells, cache: kept });
    },
  };
}

/** Adds the vectors of places that are named one by one, `u32[rows]`. Not differentiable. */
export function placedBy(graph: Graph, tokens: Tensor, table: Tensor, places: Tensor): Tensor {
  const placed = embedding(graph, places, table);
  graph.call(memoryKernels.add, { addend: tokens, target: placed }, { count: wordCount(placed) });
  return placed;
}

/** Rows of a program that reads many tokens of one sequence at once: prompts, and windows read again. */
export const PREFILL_ROWS = 32;

/** Programs that write one text at a time: a token each, and many tokens of a prompt at once. */
export function traceTransformerGeneration(
  layout: ParameterLayout,
  structure: TransformerStructure,
): readonly TransformerReading[] {
  const cache = createKeyValueCache(structure, 2);
  return [1, PREFILL_ROWS].map((rows) => traceTransformerReading(layout, structure, cache, rows));
}

/**
 * Reads tokens into the cache of a device, each into the next place of its slot's sequence.
 *
 * Places have learned vectors and there are `sequence` of them, so a text that is longer has to be looked
 * at through a window. Where all places are taken and another token comes, the later half of them (rounded
 * down) is read again as the beginning of a window: the model always sees at least the last half of a
 * sequence and never more than a whole one, and a token costs two reads at most on the average. What a
 * text is answered depends on its own tokens alone.
 */
interface CachedReader {
  /** The next token that `slot` reads is the first of a sequence. */
  clear(slot: number): void;
  /** Reads a token for each of some slots, none twice; the program keeps their logits, in order. */
  read(reads: readonly SlotRead[]): TransformerReading;
  /** Reads many tokens of one slot; the program keeps the logits of the last one in row `last`. */
  prefill(slot: number, tokens: ArrayLike<number>): { traced: TransformerReading; last: number };
}

interface Row extends SlotRead {
  readonly place: number;
}

interface CachedReaderOptions {
  readonly structure: TransformerStructure;
  /** The cache has room for one sequence more: rows that nobody uses read into it. */
  readonly slots: number;
  /** By rows, ascending. */
  readonly programs: readonly TransformerReading[];
}

export function createCachedReader(
  player: Player,
  { structure, slots, programs }: CachedReaderOptions,
): CachedReader {
  const { sequence } = structure;
  /** Tokens in the cache, by slot. */
  const windows = Array.from({ length: slots }, (): number[] => []);
  const play = (rows: readonly Row[]): TransformerReading => {
    const traced = programFor(programs, rows.length);
    const ids = new Uint32Array(traced.rows);
    const places = new Uint32Array(traced.rows);
    const cells = new Uint32Array(traced.rows).fill(slots * sequence);
    for (const [r, { slot, token, place }] of rows.entries()) {
      ids[r] = token;
      places[r] = place;
      cells[r] = slot * sequence + place;
    }
    player.write(traced.ids, ids);
    player.write(traced.places, places);
    player.write(traced.cells, cells);
    player.play(traced.program);
    return traced;
  };
  const most = programs.at(-1)?.rows ?? 1;
  const makeRoom = (slot: number) => {
    const window = windowOf(slot);
    if (window.length < sequence) return;
    window.splice(0, window.length - Math.floor(sequence / 2));
    const rows = window.map((token, place) => ({ slot, token, place }));
    for (let first = 0; first < rows.length; first += most) play(rows.slice(first, first + most));
  };
  const append = ({ slot, token }: SlotRead): Row => {
    const window = windowOf(slot);
    return { slot, token, place: window.push(token) - 1 };
  };
  const windowOf = (slot: number): number[] => windows[slot] ?? [];
  return {
    clear(slot) {
      windowOf(slot).length = 0;
    },
    read(reads) {
      for (const { slot } of reads) makeRoom(slot);
      return play(reads.map(append));
    },
    prefill(slot, tokens) {
      const all = Array.from(tokens);
      for (;;) {
        makeRoom(slot);
        const count = Math.min(most, sequence - windowOf(slot).length, all.length);
        const traced = play(all.splice(0, count).map((token) => append({ slot, token })));
        if (all.length === 0) return { traced, last: count - 1 };
      }
    },
  };
}

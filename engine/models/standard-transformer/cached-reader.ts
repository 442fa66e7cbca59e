import type { Player } from '../../backends/backend.ts';
import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import { programFor } from '../language/slot-reads.ts';
import type { TransformerReading } from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/**
 * Reads tokens into the cache of a device, each into the next place of its slot's sequence.
 *
 * Places have learned vectors and there are `sequence` of them, so a text that is longer has to be looked
 * at through a window. Where all places are taken and another token comes, the later half of them (rounded
 * down) is read again as the beginning of a window: the model always sees at least the last half of a
 * sequence and never more than a whole one, and a token costs two reads at most on the average. What a
 * text is answered depends on its own tokens alone.
 */
export interface CachedReader {
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

export interface CachedReaderOptions {
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

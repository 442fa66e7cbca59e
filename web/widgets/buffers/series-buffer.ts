import type { SeriesWindow } from '../../../engine/pictures.ts';
import { createSignal, positiveInteger, type Source } from './signal.ts';

/** The newest `capacity` rows of some curves over one x axis. */
export interface SeriesBuffer extends Source {
  readonly seriesCount: number;
  readonly capacity: number;
  readonly length: number;
  /** Adds one row. `x` may not be below the row before; a value of NaN leaves a gap. */
  push(x: number, values: ArrayLike<number>): void;
  /** The rows it holds: views on the buffer, valid until the next `push`. */
  window(): SeriesWindow;
  /** Forgets the newest rows, those whose x lies above `x`. */
  dropAfter(x: number): void;
  clear(): void;
}

export function createSeriesBuffer(seriesCount: number, capacity: number): SeriesBuffer {
  positiveInteger('seriesCount', seriesCount);
  positiveInteger('capacity', capacity);
  // Each row is written twice, `capacity` apart, so that the newest rows always lie in one piece.
  const columns = Array.from({ length: seriesCount + 1 }, () => new Float64Array(2 * capacity));
  const signal = createSignal();
  /** Rows written so far, and how many of the newest are held. */
  let pushed = 0;
  let held = 0;
  let version = 0;

  function changed() {
    version++;
    signal.emit();
  }

  const start = () => (pushed - held) % capacity;
  const newestX = () => columns[0]?.[start() + held - 1] ?? Number.NEGATIVE_INFINITY;

  return {
    seriesCount,
    capacity,
    get length() {
      return held;
    },
    get version() {
      return version;
    },
    subscribe: signal.subscribe,
    push(x, values) {
      if (values.length !== seriesCount) {
        throw new RangeError(`a row holds ${values.length} values, expected ${seriesCount}`);
      }
      const slot = pushed % capacity;
      for (const [column, data] of columns.entries()) {
        const value = column === 0 ? x : (values[column - 1] ?? Number.NaN);
        data[slot] = data[slot + capacity] = value;
      }
      pushed++;
      held = Math.min(held + 1, capacity);
      changed();
    },
    window() {
      const views = columns.map((column) => column.subarray(start(), start() + held));
      const [x = new Float64Array(0), ...y] = views;
      return { x, y };
    },
    dropAfter(x) {
      while (held > 0 && newestX() > x) {
        pushed--;
        held--;
      }
      changed();
    },
    clear() {
      pushed = 0;
      held = 0;
      changed();
    },
  };
}

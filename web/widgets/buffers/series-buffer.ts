import { createSignal, positiveInteger, type Source } from './signal.ts';

/** The rows a buffer holds, oldest first. Views on the buffer: valid until the next `push`. */
export interface SeriesWindow {
  /** [length], not falling */
  readonly x: Float64Array;
  /** one [length] per series; NaN where there was no value */
  readonly y: readonly Float64Array[];
}

/** The newest `capacity` rows of some curves over one x axis. */
export interface SeriesBuffer extends Source {
  readonly seriesCount: number;
  readonly capacity: number;
  readonly length: number;
  /** Adds one row. `x` may not be below the row before; a value of NaN leaves a gap. */
  push(x: number, values: ArrayLike<number>): void;
  window(): SeriesWindow;
  clear(): void;
}

export function createSeriesBuffer(seriesCount: number, capacity: number): SeriesBuffer {
  positiveInteger('seriesCount', seriesCount);
  positiveInteger('capacity', capacity);
  // Each row is written twice, `capacity` apart, so that the newest rows always lie in one piece.
  const columns = Array.from({ length: seriesCount + 1 }, () => new Float64Array(2 * capacity));
  const signal = createSignal();
  let pushed = 0;
  let version = 0;

  function write(column: number, value: number) {
    const slot = pushed % capacity;
    const data = columns[column];
    if (!data) return;
    data[slot] = value;
    data[slot + capacity] = value;
  }

  const length = () => Math.min(pushed, capacity);
  const start = () => (pushed < capacity ? 0 : pushed % capacity);

  return {
    seriesCount,
    capacity,
    get length() {
      return length();
    },
    get version() {
      return version;
    },
    subscribe: signal.subscribe,
    push(x, values) {
      if (values.length !== seriesCount) {
        throw new RangeError(`a row holds ${values.length} values, expected ${seriesCount}`);
      }
      write(0, x);
      for (let index = 0; index < seriesCount; index++) {
        write(index + 1, values[index] ?? Number.NaN);
      }
      pushed++;
      version++;
      signal.emit();
    },
    window() {
      const views = columns.map((column) => column.subarray(start(), start() + length()));
      const [x = new Float64Array(0), ...y] = views;
      return { x, y };
    },
    clear() {
      pushed = 0;
      version++;
      signal.emit();
    },
  };
}

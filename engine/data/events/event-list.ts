import { EngineError } from '../../errors.ts';

/**
 * Events of a camera or of a cochlea in the order of their times. One array for each column, all of one length.
 */
export interface EventList {
  /** Microseconds after `start`, ascending. */
  readonly t: Uint32Array;
  /** Column, 0 to `width` - 1; the unit of a recording without an image. */
  readonly x: Uint16Array;
  /** Row, 0 to `height` - 1. */
  readonly y: Uint16Array;
  /** Polarity: 1 for brighter, 0 for darker. */
  readonly p: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Microseconds to add to `t`; 0 where all times of a recording fit 32 bits as they are. */
  readonly start: number;
}

/** Columns of events in any order, as arrays of whole numbers. */
export interface EventColumns {
  /** Microseconds. */
  readonly t: ArrayLike<number>;
  readonly x: ArrayLike<number>;
  /** 0 for all if left out. */
  readonly y?: ArrayLike<number>;
  /** 1 for all if left out. */
  readonly p?: ArrayLike<number>;
  /** One more than the largest `x` if left out; likewise `height`. */
  readonly width?: number;
  readonly height?: number;
}

/** The size of a sensor in pixels. */
export interface SensorSize {
  readonly width: number;
  readonly height: number;
}

/** Axes of a sensor that the columns can address. */
export const MAX_SIDE = 2 ** 16;
const MAX_SPAN = 2 ** 32 - 1;
const MICROSECONDS_PER_HOUR = 3.6e9;

/**
 * Events from columns, sorted by time; events of the same time stay in their order. Throws EngineError
 * `signal-invalid` for columns of different lengths, for the first value that is not a whole number within its
 * range, and for more than 71 minutes between the first and the last event.
 */
export function eventList({ t, x, y, p, width, height }: EventColumns): EventList {
  const count = t.length;
  expectLength('x', x.length, count);
  expectLength('y', y?.length ?? count, count);
  expectLength('p', p?.length ?? count, count);
  const axis = (name: string, column: ArrayLike<number> | undefined, side: number | undefined) => {
    const found = checkColumn(name, column, side ?? MAX_SIDE);
    return checkSide(name, side ?? Math.max(1, found + 1));
  };
  const size = { width: axis('x', x, width), height: axis('y', y, height) };
  checkColumn('p', p, 2);
  checkColumn('t', t, Number.MAX_SAFE_INTEGER);
  return collectEvents(
    (emit) => {
      for (let i = 0; i < count; i++) emit(t[i] ?? 0, x[i] ?? 0, y?.[i] ?? 0, p?.[i] ?? 1);
    },
    { size, refuse: refuseEvents },
  );
}

function refuseEvents(at: number | string, found: string, expected: string): never {
  throw new EngineError('signal-invalid', `events: at ${at} ${found}, expected ${expected}`);
}

function expectLength(name: string, length: number, count: number): void {
  if (length === count) return;
  refuseEvents(`column ${name}`, `there are ${length} values`, `${count}, as many as in t`);
}

/** The largest value of a column, -1 for an empty one. */
function checkColumn(name: string, column: ArrayLike<number> | undefined, bound: number): number {
  let max = -1;
  for (let i = 0; i < (column?.length ?? 0); i++) {
    const value = column?.[i] ?? 0;
    if (!Number.isInteger(value) || value < 0 || value >= bound) {
      refuseEvents(
        `${name}[${i}]`,
        `the value is ${value}`,
        `a whole number from 0 to ${bound - 1}`,
      );
    }
    if (value > max) max = value;
  }
  return max;
}

function checkSide(axis: string, side: number): number {
  const isSide = Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;
  if (!isSide) refuseEvents(`axis ${axis}`, `the size is ${side}`, `1 to ${MAX_SIDE} pixels`);
  return side;
}

/** Takes one event; `t` in microseconds. */
export type EmitEvent = (t: number, x: number, y: number, p: number) => void;

interface Collection {
  /** Size of the sensor; one more than the largest column and row if left out. */
  readonly size?: SensorSize;
  /** Events that may be held, any number by default. */
  readonly maxEvents?: number;
  readonly refuse: (at: number | string, found: string, expected: string) => never;
}

/**
 * The events that `run` emits. It is called twice, first to count: memory is taken for exactly what there is.
 */
export function collectEvents(
  run: (emit: EmitEvent) => void,
  { size, maxEvents = Infinity, refuse }: Collection,
): EventList {
  const seen = measureEvents(run, maxEvents, refuse);
  const { width, height } = size ?? { width: seen.width, height: seen.height };
  if (seen.width > width || seen.height > height) {
    const found = `a pixel is at column ${seen.width - 1}, row ${seen.height - 1} or beyond`;
    refuse('its events', found, `a sensor of ${width} x ${height}; pass another \`sensor\``);
  }
  const start = seen.last > MAX_SPAN ? seen.first : 0;
  if (seen.last - start > MAX_SPAN) {
    const hours = ((seen.last - start) / MICROSECONDS_PER_HOUR).toFixed(1);
    refuse('its events', `they span ${hours} hours`, 'at most 71 minutes in one list');
  }
  const t = new Uint32Array(seen.count);
  const [x, y] = [new Uint16Array(seen.count), new Uint16Array(seen.count)];
  const p = new Uint8Array(seen.count);
  let at = 0;
  run((time, column, row, polarity) => {
    t[at] = time - start;
    x[at] = column;
    y[at] = row;
    p[at++] = polarity;
  });
  const list = { t, x, y, p, width: Math.max(1, width), height: Math.max(1, height), start };
  return seen.isSorted ? list : inOrder(list, orderOf(t));
}

function measureEvents(
  run: (emit: EmitEvent) => void,
  maxEvents: number,
  refuse: Collection['refuse'],
) {
  const seen = { count: 0, first: Infinity, last: 0, width: 0, height: 0, isSorted: true };
  let before = 0;
  run((t, x, y) => {
    if (++seen.count > maxEvents) {
      refuse(`event ${maxEvents}`, 'there are more', `at most ${maxEvents}; raise \`maxEvents\``);
    }
    if (t < before) seen.isSorted = false;
    before = t;
    if (t < seen.first) seen.first = t;
    if (t > seen.last) seen.last = t;
    if (x >= seen.width) seen.width = x + 1;
    if (y >= seen.height) seen.height = y + 1;
  });
  return seen;
}

/** Places of the times in ascending order; equal ones stay as they are. Sorts by digits of 8 bits, lowest first. */
export function orderOf(t: Uint32Array): Uint32Array {
  let order = new Uint32Array(t.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  let sorted = new Uint32Array(t.length);
  for (let shift = 0; shift < 32; shift += 8) {
    const starts = startsOf(t, shift);
    for (const place of order) {
      const digit = ((t[place] as number) >>> shift) & 0xff;
      const to = starts[digit] as number;
      sorted[to] = place;
      starts[digit] = to + 1;
    }
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** Where the times with each digit begin. */
function startsOf(t: Uint32Array, shift: number): Uint32Array {
  const counts = new Uint32Array(256);
  for (const time of t) {
    const digit = (time >>> shift) & 0xff;
    counts[digit] = (counts[digit] as number) + 1;
  }
  let start = 0;
  return counts.map((count) => {
    start += count;
    return start - count;
  });
}

/** The events at some places, in that order. */
export function inOrder(events: EventList, places: Uint32Array): EventList {
  const [t, x] = [new Uint32Array(places.length), new Uint16Array(places.length)];
  const [y, p] = [new Uint16Array(places.length), new Uint8Array(places.length)];
  for (const [to, place] of places.entries()) {
    t[to] = events.t[place] as number;
    x[to] = events.x[place] as number;
    y[to] = events.y[place] as number;
    p[to] = events.p[place] as number;
  }
  return { ...events, t, x, y, p };
}

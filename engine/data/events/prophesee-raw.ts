import { BoundedReader, type RefuseFile, refuseFile } from '../files/bounded-reader.ts';
import { collectEvents, type EmitEvent, type EventList } from './event-list.ts';
import { collectionOf, type EventFileOptions } from './event-options.ts';
import { headerSensor, headerValue, readTextHeader, type TextHeader } from './text-header.ts';

export interface EvtOptions extends EventFileOptions {
  /** The encoding, where the header does not say it. */
  readonly encoding?: 2 | 3;
}

/** The events of a RAW file behind its header. */
interface Words {
  readonly reader: BoundedReader;
  readonly start: number;
}

const FORMAT = 'Prophesee RAW';

/**
 * Reads a RAW file of Prophesee in EVT 2.0 or EVT 3.0, little-endian. Triggers and what else is no event of a
 * pixel are left out, as are events before the first time stamp. Throws EngineError `dataset-invalid`.
 */
export function parseEvt(name: string, file: Uint8Array, options: EvtOptions = {}): EventList {
  const refuse = refuseFile(name, FORMAT);
  const reader = new BoundedReader(file, refuse);
  const header = readTextHeader(reader, '%', (line) => line === 'end');
  const encoding = options.encoding ?? encodingIn(header, refuse);
  const bytes = encoding === 2 ? 4 : 2;
  const rest = (reader.size - header.end) % bytes;
  if (rest > 0) refuse(reader.size - rest, `${rest} bytes are left`, `words of ${bytes}`);
  const words = { reader, start: header.end };
  const emitAll = encoding === 2 ? emitEvt2 : emitEvt3;
  return collectEvents((emit) => emitAll(words, emit), {
    ...collectionOf(options, headerSensor(header)),
    refuse,
  });
}

function encodingIn(header: TextHeader, refuse: RefuseFile): 2 | 3 {
  const said = headerValue(header, 'evt') ?? headerValue(header, 'format') ?? '';
  const version = /^(?:EVT)?([\d.]+)/i.exec(said)?.[1];
  if (version === '2.0' || version === '2') return 2;
  if (version === '3.0' || version === '3') return 3;
  const found =
    said === '' ? 'the header names no encoding' : `the encoding is ${said.slice(0, 40)}`;
  return refuse(0, found, 'evt 2.0 or 3.0, which the option `encoding` may say');
}

/** A clock whose upper part comes in words of its own and begins again at 0. */
function createHighClock(bits: number, low: number) {
  const range = 2 ** (bits + low);
  // A little back is a word out of order; nearly all the way back is a new round.
  const nearlyAll = range - 11 * 2 ** low;
  let [high, rounds, isSet] = [0, 0, false];
  return {
    isSet: () => isSet,
    set(value: number) {
      const next = value * 2 ** low + rounds * range;
      const isNewRound = isSet && high - next >= nearlyAll;
      if (isNewRound) rounds++;
      high = isNewRound ? next + range : next;
      isSet = true;
    },
    at: (lower: number) => high + lower,
  };
}

const EVT2 = { off: 0x0, on: 0x1, timeHigh: 0x8, others: [0xa, 0xe, 0xf] };

function emitEvt2({ reader, start }: Words, emit: EmitEvent): void {
  const clock = createHighClock(28, 6);
  for (let at = start; at < reader.size; at += 4) {
    const word = reader.u32(at);
    const kind = word >>> 28;
    if (kind === EVT2.timeHigh) clock.set(word & 0xfff_ffff);
    else if (kind === EVT2.off || kind === EVT2.on) {
      if (!clock.isSet()) continue;
      emit(clock.at((word >>> 22) & 0x3f), (word >>> 11) & 0x7ff, word & 0x7ff, kind);
    } else if (!EVT2.others.includes(kind)) refuseWord(reader, at, kind);
  }
}

const EVT3 = {
  row: 0x0,
  column: 0x2,
  base: 0x3,
  vector12: 0x4,
  vector8: 0x5,
  timeLow: 0x6,
  timeHigh: 0x8,
  /** Continued words, triggers, inertia and the rest. */
  others: [0x7, 0xa, 0xd, 0xe, 0xf],
};
/** Columns that a word can address. */
const COLUMNS = 2 ** 11;

function emitEvt3({ reader, start }: Words, emit: EmitEvent): void {
  const clock = createHighClock(12, 12);
  let [t, y, base, polarity] = [0, 0, 0, 0];
  const emitVector = (at: number, valid: number, columns: number) => {
    for (let i = 0; i < columns; i++) {
      if (((valid >>> i) & 1) === 0) continue;
      if (base + i >= COLUMNS) reader.refuse(at, `the column is ${base + i}`, `below ${COLUMNS}`);
      emit(t, base + i, y, polarity);
    }
    base += columns;
  };
  const take = (at: number, kind: number, word: number) => {
    if (kind === EVT3.column) emit(t, word & 0x7ff, y, (word >>> 11) & 1);
    else if (kind === EVT3.vector12) emitVector(at, word & 0xfff, 12);
    else if (kind === EVT3.vector8) emitVector(at, word & 0xff, 8);
    else if (kind === EVT3.timeLow) t = clock.at(word & 0xfff);
    else if (kind === EVT3.row) y = word & 0x7ff;
    else if (kind === EVT3.base) [base, polarity] = [word & 0x7ff, (word >>> 11) & 1];
    else if (!EVT3.others.includes(kind)) refuseWord(reader, at, kind);
  };
  for (let at = start; at < reader.size; at += 2) {
    const word = reader.u16(at);
    if (word >>> 12 === EVT3.timeHigh) {
      clock.set(word & 0xfff);
      t = clock.at(0);
    } else if (clock.isSet()) take(at, word >>> 12, word);
  }
}

function refuseWord({ refuse }: BoundedReader, at: number, kind: number): never {
  return refuse(at, `a word is of type ${kind}, which is reserved`, 'a type of the encoding');
}

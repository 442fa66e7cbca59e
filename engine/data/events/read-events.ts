import { refuseFile } from '../files/bounded-reader.ts';
import { parseAedat2, type Aedat2Options } from './aedat2.ts';
import { parseAedat4, type Aedat4Options } from './aedat4.ts';
import type { EventList } from './event-list.ts';
import { parseNmnist } from './nmnist.ts';
import { parseDat } from './prophesee-dat.ts';
import { parseEvt, type EvtOptions } from './prophesee-raw.ts';
import { latin1 } from './text-header.ts';

/** Formats of recorded events. */
const PARSERS = {
  nmnist: parseNmnist,
  aedat2: parseAedat2,
  aedat4: parseAedat4,
  dat: parseDat,
  evt: parseEvt,
} as const;

/** A format of recorded events. */
export type EventFormat = keyof typeof PARSERS;

/** The format of recorded events, and what their format leaves open. */
export interface ReadEventsOptions extends Aedat2Options, Aedat4Options, EvtOptions {
  /** Found from the first bytes if left out; N-MNIST from the name, which ends with `.bin`. */
  readonly format?: EventFormat;
}

/** Bytes in which a header says its format. */
const LOOKED_AT = 2 ** 12;

/** Reads recorded events of any format that is known. Throws EngineError `dataset-invalid`. */
export function parseEvents(
  name: string,
  file: Uint8Array,
  options: ReadEventsOptions = {},
): EventList {
  const format = options.format ?? formatOf(name, file);
  if (Object.hasOwn(PARSERS, format)) return PARSERS[format](name, file, options);
  return refuseFile(name, 'events')('the option `format`', format, formats);
}

const formats = Object.keys(PARSERS).join(', ');

function formatOf(name: string, file: Uint8Array): EventFormat {
  const text = latin1(file.subarray(0, LOOKED_AT));
  if (text.startsWith('#!AER-DAT4')) return 'aedat4';
  if (text.startsWith('#')) return 'aedat2';
  if (/^%.*\n/.test(text)) return /^% (?:evt|format) /m.test(text) ? 'evt' : 'dat';
  if (/\.bin$/i.test(name)) return 'nmnist';
  return refuseFile(name, 'events')(
    0,
    'no format is recognised',
    `the option \`format\`: ${formats}`,
  );
}

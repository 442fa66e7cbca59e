import { expectCount, expectPositive, expectWithin } from '../../checks.ts';
import { collectEvents, type EventList, MAX_SIDE } from '../events/event-list.ts';
import type { NumericData } from '../arrays/numeric-array.ts';
import { type Hdf5File, openHdf5 } from './hdf5-file.ts';

/** Which recordings of a file are read, and the units of their times. */
export interface RecordingOptions {
  /** Units that may spike, 700 by default, as in the Heidelberg digits. */
  readonly units?: number;
  /** Seconds of one unit of the times, 1 by default. */
  readonly secondsPerTick?: number;
  /** Index of the first recording to read, 0 by default, and of the first one not to. */
  readonly from?: number;
  readonly to?: number;
}

/** Spikes of one recording: the unit is the column `x` of its events. */
export interface SpikeRecording {
  readonly events: EventList;
  readonly label: number;
  /** Name of the class, where the file has names. */
  readonly className?: string;
}

const [TIMES, UNITS, LABELS, NAMES] = ['spikes/times', 'spikes/units', 'labels', 'extra/keys'];

/**
 * Recordings of the Spiking Heidelberg Digits and Speech Commands (Cramer et al. 2020) and of files like them,
 * one at a time: `spikes/times` in seconds and `spikes/units`, a row for each recording, and `labels`. Throws as
 * `openHdf5`, and EngineError `dataset-invalid` for rows that do not fit each other, naming the recording.
 */
export async function* spikeRecordings(
  name: string,
  bytes: Uint8Array,
  options: RecordingOptions = {},
): AsyncGenerator<SpikeRecording> {
  const { units = 700, secondsPerTick = 1, from = 0, to = Infinity } = options;
  expectWithin('spikeRecordings', 'units', units, [1, MAX_SIDE]);
  expectPositive('spikeRecordings', 'secondsPerTick', secondsPerTick);
  expectCount('spikeRecordings', 'from', from, 0);
  const file = await openHdf5(name, bytes);
  try {
    const { labels, names } = readLabels(file);
    for (let i = from; i < Math.min(to, labels.length); i++) {
      const row = { times: file.row(TIMES, i), units: file.row(UNITS, i) };
      const events = recordingOf(row, { units, secondsPerTick }, (at, found, expected) =>
        file.refuse(`recording ${i}, ${at}`, found, expected),
      );
      const label = labels[i] ?? 0;
      const className = names[label];
      yield { events, label, ...(className !== undefined && { className }) };
    }
  } finally {
    file.close();
  }
}

/** The classes of all recordings and their names, none where the file has none. */
function readLabels(file: Hdf5File) {
  const labels = file.numbers(LABELS).data;
  for (const path of [TIMES, UNITS]) {
    const count = file.rowCount(path);
    if (count !== labels.length) {
      file.refuse(path, `there are ${count} rows`, `${labels.length}, one for each label`);
    }
  }
  return { labels, names: file.has(NAMES) ? file.texts(NAMES) : [] };
}

const MICROSECONDS = 1e6;

function recordingOf(
  row: { readonly times: NumericData; readonly units: NumericData },
  { units, secondsPerTick }: Required<Pick<RecordingOptions, 'units' | 'secondsPerTick'>>,
  refuse: (at: number | string, found: string, expected: string) => never,
): EventList {
  const { times, units: channels } = row;
  if (times.length !== channels.length) {
    refuse('its rows', `${times.length} times and ${channels.length} units`, 'as many of both');
  }
  return collectEvents(
    (emit) => {
      for (let i = 0; i < times.length; i++) {
        const [time, unit] = [times[i] ?? 0, channels[i] ?? 0];
        if (!(time >= 0 && time < Infinity))
          refuse(`spike ${i}`, `its time is ${time}`, '0 or more');
        if (!Number.isInteger(unit) || unit < 0 || unit >= units) {
          refuse(`spike ${i}`, `its unit is ${unit}`, `0 to ${units - 1}`);
        }
        emit(Math.round(time * secondsPerTick * MICROSECONDS), unit, 0, 1);
      }
    },
    { size: { width: units, height: 1 }, refuse },
  );
}

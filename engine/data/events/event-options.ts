import { expectCount, expectWithin } from '../../checks.ts';
import type { FileOptions } from '../files/whole-file.ts';
import { MAX_SIDE, type SensorSize } from './event-list.ts';

/** Options of every reader of events. */
export interface EventFileOptions extends FileOptions {
  /**
   * Size of the sensor. Left out, it is that of the file's header, or of the camera that the format belongs
   * to, or else just large enough for the events.
   */
  readonly sensor?: SensorSize;
  /** Events that a file may hold, 2^25 by default: 13 bytes of memory for each. */
  readonly maxEvents?: number;
}

const MAX_EVENTS = 2 ** 25;

/** The options of collectEvents, checked. Throws EngineError `invalid-setting`. */
export function collectionOf(
  { sensor, maxEvents = MAX_EVENTS }: EventFileOptions,
  found: SensorSize | undefined,
): { readonly maxEvents: number; readonly size?: SensorSize } {
  expectCount('events', 'maxEvents', maxEvents);
  for (const [axis, side] of Object.entries(sensor ?? {})) {
    expectWithin('events', `sensor.${axis}`, side, [1, MAX_SIDE]);
  }
  const size = sensor ?? found;
  return { maxEvents, ...(size && { size }) };
}

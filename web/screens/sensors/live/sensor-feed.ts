import type { StreamEvent } from '../../../../edge/contract/event-stream.ts';
import type { SensorEncoding } from '../../../../edge/sensors/contract/encoding.ts';
import { type Reading, ReadingEvent } from '../../../../edge/sensors/contract/reading.ts';
import { followStream, type StreamLink } from '../../../api/follow-stream.ts';
import { createSeriesBuffer, type SeriesBuffer } from '../../../widgets/buffers/series-buffer.ts';
import { createSignal, type Source } from '../../../widgets/buffers/signal.ts';
import type { SpikeBuffer } from '../../../widgets/buffers/spike-buffer.ts';
import { createReadingSpikes, SHOWN_READINGS } from '../reading-spikes.ts';

/** What a sensor measures and the spikes of it, as they come. */
export interface SensorFeed extends Source {
  readonly link: StreamLink;
  /** Values over the `seq` of their readings. */
  readonly values: SeriesBuffer;
  /** `steps` columns a reading; the second row is the OFF neuron of the delta code. */
  readonly spikes: SpikeBuffer;
  readonly last: Reading | undefined;
  /** Follows the sensor until the returned function is called. */
  follow(): () => void;
}

/** @param open opens the stream of the readings after one; from the last hundred where it is 0 */
export function createSensorFeed(
  encoding: SensorEncoding,
  open: (after: number, signal: AbortSignal) => Promise<Response>,
): SensorFeed {
  const signal = createSignal();
  // The plot draws all of what it holds: the readings that the raster shows.
  const values = createSeriesBuffer(1, SHOWN_READINGS);
  const spikes = createReadingSpikes(encoding);
  let version = 0;
  let link: StreamLink = { status: 'connecting' };
  let last: Reading | undefined;

  function changed() {
    version += 1;
    signal.emit();
  }

  function take(reading: Reading) {
    // After a cut, some may come twice.
    if (reading.seq <= (last?.seq ?? 0)) return;
    last = reading;
    values.push(reading.seq, [reading.value]);
    spikes.add(reading);
  }

  function hear({ event, data }: StreamEvent) {
    if (event !== 'readings') return;
    for (const reading of ReadingEvent.parse(JSON.parse(data)).readings) take(reading);
    changed();
  }

  return {
    values,
    spikes: spikes.buffer,
    get version() {
      return version;
    },
    get link() {
      return link;
    },
    get last() {
      return last;
    },
    subscribe: signal.subscribe,
    follow: () =>
      followStream({
        open: (closed) => open(last?.seq ?? 0, closed),
        hear,
        isOver: () => false,
        changed(to) {
          link = to;
          changed();
        },
      }),
  };
}

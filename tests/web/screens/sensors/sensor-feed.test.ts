import { describe, expect, it } from 'vitest';
import { encodingFor } from '../../../../edge/sensors/contract/encoding.ts';
import type { Reading } from '../../../../edge/sensors/contract/reading.ts';
import { createSensorFeed, type SensorFeed } from '../../../../web/screens/sensors/LiveView.tsx';
import { spikeCounts } from '../../../../web/widgets/buffers/spike-buffer.ts';

const reading = (seq: number, value: number, on: number[] = [], off: number[] = []): Reading => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  value,
  spikes: { on, off },
});

const eventsOf = (...readings: readonly Reading[]) =>
  new Response(`id: 1\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`);

const refused = () => Promise.reject(new Error('no more'));

/** Follows a feed until it is refused. */
async function heard(feed: SensorFeed): Promise<SensorFeed> {
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.subscribe(() => feed.link.status === 'refused' && resolve());
  feed.follow();
  await promise;
  return feed;
}

describe('the feed of a sensor', () => {
  it('goes on after the last reading, and takes none twice', async () => {
    const asked: number[] = [];
    const answers = [
      () => eventsOf(reading(1, 20), reading(2, 21, [0])),
      () => eventsOf(reading(2, 21, [0]), reading(3, 19, [], [0])),
    ];
    const feed = createSensorFeed(encodingFor('temperature')!, async (after) => {
      asked.push(after);
      return answers.shift()?.() ?? refused();
    });
    await heard(feed);

    expect(asked).toEqual([0, 2, 3]);
    expect([...feed.values.window().x]).toEqual([1, 2, 3]);
    expect([...spikeCounts(feed.spikes, { from: 0, to: 3 })]).toEqual([1, 1]);
    expect(feed.last?.value).toBe(19);
  });

  it('has a column for each step of a reading in the codes that have steps', async () => {
    const answers = [() => eventsOf(reading(1, 500, [0, 2, 15]))];
    const feed = createSensorFeed(
      encodingFor('light')!,
      async () => answers.shift()?.() ?? refused(),
    );
    await heard(feed);

    expect(feed.spikes.neurons).toBe(1);
    expect(feed.spikes.steps).toBe(16);
    expect([0, 1, 2, 15].map((step) => feed.spikes.step(step)[0])).toEqual([1, 0, 1, 1]);
  });
});

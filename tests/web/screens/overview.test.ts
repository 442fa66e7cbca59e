import { describe, expect, it } from 'vitest';
import { EventType, type PlatformEvent } from '../../../edge/events/contract/platform-event.ts';
import type { ServicesHealth, ServiceStatus } from '../../../edge/contract/service.ts';
import { createTextOf } from '../../../web/i18n/text.ts';
import type { EventsFrom } from '../../../web/api/events.ts';
import { createEventFeed } from '../../../web/screens/overview/events/event-feed.ts';
import { eventLine } from '../../../web/screens/overview/events/event-line.ts';
import { enEvents } from '../../../web/screens/overview/events/words/en-events.ts';
import { jaEvents } from '../../../web/screens/overview/events/words/ja-events.ts';
import { healthSentence } from '../../../web/screens/overview/health-sentence.ts';
import { createOneNeuron } from '../../../web/screens/overview/one-neuron.ts';
import { enOverview } from '../../../web/screens/overview/words/en-overview.ts';
import { jaOverview } from '../../../web/screens/overview/words/ja-overview.ts';

const health = (states: Readonly<Record<string, ServiceStatus>>): ServicesHealth => ({
  status: 'passing',
  services: Object.fromEntries(
    Object.entries(states).map(([name, status]) => [name, { status, instances: [] }]),
  ),
  checked_at: '2026-11-20T12:00:00Z',
});

describe('the health sentence', () => {
  const words = { en: enOverview, ja: jaOverview };
  const en = createTextOf<typeof enOverview>(words, 'en');
  const ja = createTextOf<typeof enOverview>(words, 'ja');

  it('says that all is well only when it is', () => {
    const well = health({ gateway: 'passing', registry: 'passing' });

    expect(healthSentence(en, well)).toBe('2 of 2 services are passing.');
    expect(healthSentence(ja, well)).toBe('2 件のサービスはすべて正常です。');
  });

  it('names what is not passing, warnings and the unknown included', () => {
    const ill = health({ gateway: 'passing', registry: 'warning', training: 'unknown' });

    expect(healthSentence(en, ill)).toBe(
      '1 of 3 services are passing; check registry and training.',
    );
    expect(healthSentence(ja, ill)).toContain('registry、training を確認');
  });

  it('claims nothing about no services', () => {
    expect(healthSentence(en, health({}))).toBe('No service is registered.');
  });
});

describe('the one neuron', () => {
  it('follows the closed form of its equation until the first spike', () => {
    const neuron = createOneNeuron();
    const [current, tau] = [0.06, 20];
    const beta = Math.exp(-1 / tau);

    neuron.advance(30, { current, tau });

    const closedForm = (step: number) => (current * (1 - beta ** (step + 1))) / (1 - beta);
    neuron.trace.potentials(0).forEach((potential, step) => {
      // The record is in single precision.
      expect(potential).toBeCloseTo(closedForm(step), 6);
    });
  });

  it('keeps the overshoot of a spike: the reset subtracts the threshold', () => {
    const neuron = createOneNeuron();
    const [current, tau] = [0.3, 10];

    neuron.advance(40, { current, tau });

    const potentials = neuron.trace.potentials(0);
    const fired = neuron.trace.fired(0);
    const first = fired.indexOf(1);
    expect(potentials[first]).toBeGreaterThan(1);
    expect(potentials[first + 1]).toBeCloseTo(
      Math.exp(-1 / tau) * potentials[first]! + current - 1,
      6,
    );
  });

  it('never fires below the current that could carry it over the threshold', () => {
    const neuron = createOneNeuron();
    const tau = 20;

    // At rest between input and leak the potential is I / (1 - beta).
    neuron.advance(400, { tau, current: 0.99 * (1 - Math.exp(-1 / tau)) });

    expect(neuron.trace.fired(0)).not.toContain(1);
  });
});

let seq = 0;
const event = (
  type: EventType,
  subject: string,
  data: PlatformEvent['data'] = {},
): PlatformEvent => {
  seq += 1;
  return { id: `event-${seq}`, seq, type, subject, time: '2026-11-20T12:00:00Z', team: null, data };
};

describe('an event', () => {
  const catalogues = { en: enEvents, ja: jaEvents };
  const en = createTextOf<typeof enEvents>(catalogues, 'en');
  const ja = createTextOf<typeof enEvents>(catalogues, 'ja');

  // Type, subject, data; then tone, sentence and where it leads.
  it.each<[EventType, string, PlatformEvent['data'], readonly [string, string, string]]>([
    ['job.status', 'job_1', { to: 'failed' }, ['bad', 'job_1 failed', '/jobs/job_1']],
    [
      'model.registered',
      'fox',
      { version: '1.0.0', status: 'READY' },
      ['neutral', 'Version 1.0.0 of fox has all of its files', '/models/fox'],
    ],
    [
      'model.alias',
      'fox',
      { alias: 'best', from: '1.0.0', to: '2.0.0' },
      ['neutral', 'Alias best of fox moved from version 1.0.0 to 2.0.0', '/models/fox'],
    ],
    [
      'model.alias',
      'fox',
      { alias: 'best', from: '1.0.0', to: null },
      ['neutral', 'Alias best of fox is removed', '/models/fox'],
    ],
    ['alert.firing', 'Slow', {}, ['bad', 'Slow fires', '/alerts?tab=history']],
    [
      'region.status',
      'near',
      { to: 'degraded' },
      ['warn', 'near is degraded', '/regions?region=near'],
    ],
    [
      'failover.executed',
      'near',
      { to_region: 'far', success: true },
      ['warn', 'far took over from near', '/regions?region=near'],
    ],
    [
      'failover.executed',
      'near',
      { to_region: null, success: false },
      ['bad', 'No region could take over from near', '/regions?region=near'],
    ],
    [
      'node.status',
      'eye/1',
      { from: 'unknown', to: 'active', module_type: 'visual', region_id: 'near' },
      ['good', 'eye/1 (visual) joined near', '/brain?node=eye%2F1'],
    ],
    [
      'node.status',
      'eye',
      { from: 'inactive', to: 'active' },
      ['good', 'eye is well again', '/brain?node=eye'],
    ],
  ])('%s of %s is told in a sentence that leads there', (type, subject, data, expected) => {
    const told = event(type, subject, data);

    const { tone, sentence, href } = eventLine(en, told);

    expect([tone, sentence, href]).toEqual(expected);
    expect(eventLine(ja, told).sentence).toContain(subject);
  });

  it.each(EventType.options)('%s of a form that is not known leaves no hole', (type) => {
    const { sentence } = eventLine(en, event(type, 'it', { to: 'elsewhere' }));

    expect(sentence).toContain('it');
    expect(sentence).not.toMatch(/[{}]/);
  });
});

/** Frames as `GET /events` sends them. */
const streamOf = (start: number, events: readonly PlatformEvent[]): Response => {
  const frames = [
    ['start', { type: 'start', seq: start }],
    ...events.map((one) => [one.type, one]),
  ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  return new Response(frames.join(''));
};

describe('the feed of events', () => {
  it('shows the newest, goes on where a stream broke, and leaves out what comes twice', async () => {
    const jobs = Array.from({ length: 9 }, (_, i) => event('job.status', `job_${i}`));
    const saved = event('job.checkpoint', 'job_8');
    const last = event('alert.firing', 'Slow');
    const asked: EventsFrom[] = [];
    const ended = Promise.withResolvers<void>();
    const feed = createEventFeed(async (from, signal) => {
      asked.push(from);
      if (asked.length === 1) return streamOf(0, [...jobs, saved]);
      if (asked.length === 2) return streamOf(saved.seq, [jobs[8]!, last]);
      ended.resolve();
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });

    const stop = feed.follow();
    await ended.promise;
    const { events, link } = feed.store.getState();
    stop();

    expect(asked).toEqual([{ tail: 50 }, { after: saved.seq }, { after: last.seq }]);
    expect(events?.map(({ subject }) => subject)).toEqual([
      'Slow',
      ...jobs
        .slice(2)
        .map(({ subject }) => subject)
        .toReversed(),
    ]);
    expect(link).toEqual({ status: 'lost' });
  });
});

import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import {
  nextConnection,
  OFFLINE_AFTER,
  POLL_MS,
  RETRY_MS,
  untilNextProbe,
  type Connection,
  type ConnectionEvent,
} from '../../../web/stores/connection-machine.ts';

const events = fc.array(
  fc.constantFrom<ConnectionEvent['type']>('answered', 'failed', 'network-lost'),
);
const run = (types: readonly ConnectionEvent['type'][], now = 0) =>
  types.reduce<Connection>((state, type) => nextConnection(state, { type }, now), {
    status: 'connecting',
  });

describe('the connection', () => {
  it('is live exactly when the last event was an answer', () => {
    fc.assert(
      fc.property(events, (types) => {
        const { status } = run(types);

        expect(status === 'live').toBe(types.at(-1) === 'answered');
      }),
    );
  });

  it('is only called offline after enough failures in a row, or when the network is gone', () => {
    fc.assert(
      fc.property(events, (types) => {
        const sinceAnswer = types.slice(types.lastIndexOf('answered') + 1);
        const isOffline =
          sinceAnswer.includes('network-lost') || sinceAnswer.length >= OFFLINE_AFTER;

        expect(run(types).status === 'offline').toBe(isOffline);
      }),
    );
  });

  it('always asks again, within the longest delay', () => {
    fc.assert(
      fc.property(events, fc.nat(), (types, now) => {
        const wait = untilNextProbe(run(types, now), now);

        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(Math.max(POLL_MS, ...RETRY_MS));
      }),
    );
  });

  it('waits longer after each failure', () => {
    const waits = Array.from({ length: 6 }, (_, failures) => {
      const failed = Array.from({ length: failures + 1 }, () => 'failed' as const);
      return untilNextProbe(run(failed, 500), 500);
    });

    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });

  it('is the same object while nothing changes, so that nothing renders', () => {
    const live = run(['answered']);

    expect(nextConnection(live, { type: 'answered' }, 9)).toBe(live);
  });
});

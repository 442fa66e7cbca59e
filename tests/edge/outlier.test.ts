import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  isEjected,
  NO_FAILURES,
  type OutlierState,
  RetryBudget,
  ServiceStats,
} from '../../edge/gateway/instance-stats.ts';

const alone = { size: 10, ejected: 0 };

function failTimes(count: number, state: OutlierState, now: number): OutlierState {
  let next = state;
  for (let i = 0; i < count; i++) next = afterFailure(next, alone, now);
  return next;
}

describe('ejection', () => {
  it('comes with the fifth failure in a row, for 30 s, then 60 s, then 90 s', () => {
    let state = NO_FAILURES;
    let now = 1_000;
    for (const seconds of [30, 60, 90]) {
      state = failTimes(4, state, now);
      expect(isEjected(state, now)).toBe(false);
      state = failTimes(1, state, now);
      expect(state.ejectedUntil).toBe(now + seconds * 1000);
      expect(isEjected(state, state.ejectedUntil - 1)).toBe(true);
      now = state.ejectedUntil;
      expect(isEjected(state, now)).toBe(false);
    }
  });

  it('takes failures in a row: one success starts the count anew', () => {
    const state = failTimes(4, afterSuccess(failTimes(4, NO_FAILURES, 0), 0), 0);

    expect(isEjected(state, 0)).toBe(false);
  });

  it('is forgotten after five minutes that went well', () => {
    const ejected = failTimes(5, NO_FAILURES, 0);

    expect(afterSuccess(ejected, 200_000).ejections).toBe(1);
    expect(afterSuccess(ejected, 330_000).ejections).toBe(0);
  });

  it('never takes more than half of a service out, and always ends within 300 s', () => {
    const event = fc.record({
      instance: fc.nat(6),
      ok: fc.boolean(),
      afterMs: fc.nat(20_000),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.array(event, { maxLength: 300 }),
        (size, events) => {
          const stats = new ServiceStats();
          const urls = Array.from({ length: size }, (_, i) => `u${i}`);
          stats.keep(urls);
          let now = 0;
          for (const { instance, ok, afterMs } of events) {
            now += afterMs;
            const url = urls[instance % size]!;
            if (ok) stats.of(url).succeeded(1, now);
            else stats.failed(url, 'down', now);
            const ejected = urls.filter((one) => isEjected(stats.of(one).outlier, now));
            expect(ejected.length * 2).toBeLessThanOrEqual(size);
            for (const one of urls) {
              expect(stats.of(one).outlier.ejectedUntil - now).toBeLessThanOrEqual(300_000);
            }
          }
        },
      ),
      { seed: 3 },
    );
  });

  it('of an instance that went away is forgotten with it', () => {
    const stats = new ServiceStats();
    stats.keep(['a', 'b']);
    for (let i = 0; i < 5; i++) stats.failed('a', 'down', 0);
    expect(isEjected(stats.of('a').outlier, 1)).toBe(true);

    stats.keep(['b']);
    stats.keep(['a', 'b']);

    expect(isEjected(stats.of('a').outlier, 1)).toBe(false);
  });
});

describe('the retry budget', () => {
  it('allows a fifth of the requests and ten, in any order of things', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 2000 }), (events) => {
        const budget = new RetryBudget();
        let requests = 0;
        let retries = 0;
        for (const isRequest of events) {
          if (isRequest) {
            budget.countRequest();
            requests += 1;
          } else if (budget.take()) retries += 1;
          expect(retries).toBeLessThanOrEqual(10 + requests * 0.2 + 1e-6);
        }
      }),
      { seed: 3 },
    );
  });

  it('is there again once requests went by', () => {
    const budget = new RetryBudget();
    while (budget.take());
    for (let i = 0; i < 6; i++) budget.countRequest();

    expect([budget.take(), budget.take()]).toEqual([true, false]);
  });
});

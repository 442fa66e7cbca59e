import { describe, expect, it } from 'vitest';
import type { ServiceInstance } from '../../../../edge/contract/service.ts';
import { ejectedFor, figuresOf } from '../../../../web/screens/gateway/service-figures.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

const instance: ServiceInstance = {
  id: 'a',
  url: 'http://10.0.0.1/',
  weight: 1,
  region_id: null,
  status: 'passing',
  consecutive_failures: 0,
  ejected_until: null,
  in_flight: 2,
  latency_ms_ewma: 10,
  last_check_at: at(-5),
  last_error: null,
};

describe('the figures of a service', () => {
  it('add up its instances, and leave out latencies that are not known', () => {
    const instances = [
      instance,
      { ...instance, id: 'b', latency_ms_ewma: 30, in_flight: 1 },
      { ...instance, id: 'c', latency_ms_ewma: null, in_flight: 0, status: 'critical' as const },
    ];

    expect(figuresOf({ instances }, NOW)).toEqual({
      passing: 2,
      total: 3,
      inFlight: 3,
      latencyMs: 20,
      ejected: 0,
      ejectedForMs: null,
      lastError: null,
    });
  });

  it('count down to the first instance that is tried again, and forget ejections that are over', () => {
    const instances = [
      { ...instance, ejected_until: at(30) },
      { ...instance, id: 'b', ejected_until: at(12) },
      { ...instance, id: 'c', ejected_until: at(-1) },
    ];

    expect(figuresOf({ instances }, NOW)).toMatchObject({ ejected: 2, ejectedForMs: 12_000 });
    expect(figuresOf({ instances }, NOW + 13_000)).toMatchObject({ ejected: 1 });
    expect(ejectedFor(instance, NOW)).toBeUndefined();
  });

  it('show the error of the latest check', () => {
    const instances = [
      { ...instance, last_error: 'it answered 500', last_check_at: at(-1) },
      { ...instance, id: 'b', last_error: 'it cannot be reached', last_check_at: at(-9) },
    ];

    expect(figuresOf({ instances }, NOW).lastError).toBe('it answered 500');
  });
});

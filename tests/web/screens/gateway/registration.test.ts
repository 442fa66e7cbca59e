import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../../edge/contract/problem-error.ts';
import { ownProblem } from '../../../../edge/contract/refusal.ts';
import { ServiceRecord, ServiceRegistration } from '../../../../edge/contract/service.ts';
import {
  draftOf,
  EMPTY,
  faultsOf,
  registrationOf,
} from '../../../../web/screens/gateway/register/draft.ts';

const first = EMPTY.instances[0]!;

describe('a registration that was typed', () => {
  it('is what the gateway takes', () => {
    const body = registrationOf({
      ...EMPTY,
      name: ' ｅｃｈｏ ',
      tags: 'gpu、 tokyo,',
      meta: 'team = serving\nflag\nformula = a = b',
      ttl: '６０',
      instances: [{ ...first, url: 'http://10.0.0.1/', weight: '0.5' }],
    });

    expect(ServiceRegistration.parse(body)).toMatchObject({
      name: 'echo',
      tags: ['gpu', 'tokyo'],
      meta: { team: 'serving', flag: '', formula: 'a = b' },
      ttl_s: 60,
      instances: [{ url: 'http://10.0.0.1/', weight: 0.5 }],
    });
  });

  it('goes out as it is where a number is none, for the gateway to say so', () => {
    const body = registrationOf({
      ...EMPTY,
      instances: [{ ...first, weight: 'heavy' }],
      health: { ...EMPTY.health, interval: '' },
    });

    expect(body).toMatchObject({ instances: [{ weight: 'heavy' }], health: { interval_s: '' } });
  });

  it('comes back the same from a record, whatever it holds', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9 ]{0,10}[a-z0-9]$/);
    const made = fc.record({
      version: fc.option(word),
      tags: fc.uniqueArray(word, { maxLength: 4 }),
      meta: fc.dictionary(word, word, { maxKeys: 4 }),
      weight: fc.double({ min: 0.001, max: 100, noNaN: true }),
      ttl: fc.option(fc.integer({ min: 1, max: 604_800 })),
    });
    fc.assert(
      fc.property(made, ({ version, tags, meta, weight, ttl }) => {
        const instance = { id: 'a', url: 'http://10.0.0.1/', weight, region_id: 'tokyo' };
        const record = recordOf({ version, tags, meta, ttl_s: ttl, instance });
        const sent = ServiceRegistration.parse(registrationOf(draftOf(record)));

        expect(sent).toMatchObject({ tags, meta, instances: [instance], health: record.health });
        expect(sent.version ?? null).toBe(version);
        expect(sent.ttl_s ?? null).toBe(ttl);
      }),
    );
  });
});

interface Registered extends Readonly<Record<string, unknown>> {
  readonly instance: object;
}

function recordOf({ instance, ...rest }: Registered): ServiceRecord {
  const time = '2026-11-21T12:00:00Z';
  return ServiceRecord.parse({
    name: 'echo',
    origin: 'registered',
    status: 'passing',
    health: {
      path: '/up',
      interval_s: 5,
      timeout_s: 0.5,
      failures_before_critical: 2,
      success_before_passing: 1,
    },
    expires_at: null,
    registered_at: time,
    updated_at: time,
    ...rest,
    instances: [
      {
        ...instance,
        status: 'passing',
        consecutive_failures: 0,
        ejected_until: null,
        in_flight: 0,
        latency_ms_ewma: null,
        last_check_at: null,
        last_error: null,
      },
    ],
  });
}

describe('the faults of a registration', () => {
  const { problem } = ownProblem('validation_failed', 'two places');
  const error = new ProblemError({
    ...problem,
    errors: [
      { pointer: '/instances/1/url', code: 'x', detail: 'not an address' },
      { pointer: '/instances/10/url', code: 'x', detail: 'of another instance' },
      { pointer: '/tags/0', code: 'x', detail: 'too long' },
    ],
  });

  it('stand at their places and above them, and nowhere else', () => {
    const faults = faultsOf(error);

    expect(faults.at('/instances/1/url')).toBe('not an address');
    expect(faults.at('/instances/1')).toBe('not an address');
    expect(faults.at('/tags')).toBe('too long');
    expect(faults.at('/name')).toBeUndefined();
  });

  it('are said elsewhere where no field is theirs', () => {
    expect(faultsOf(error).isElsewhere(['/instances', '/tags'])).toBe(false);
    expect(faultsOf(error).isElsewhere(['/instances'])).toBe(true);
    expect(faultsOf(new TypeError('Failed to fetch')).isElsewhere(['/name'])).toBe(true);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRegister,
  decideRemove,
  DEFAULT_HEALTH,
  etagOf,
  expiryOf,
  type Registered,
  removalOf,
  type ServiceDefinition,
} from '../../edge/gateway/machine.ts';

const definition = (fields: Partial<ServiceDefinition> = {}): ServiceDefinition => ({
  name: 'inference',
  version: null,
  tags: [],
  meta: {},
  health: DEFAULT_HEALTH,
  ttl_s: null,
  instances: [{ id: 'inference-1', url: 'http://8.8.8.8/', weight: 1, region_id: null }],
  ...fields,
});

interface Step {
  readonly content: string;
  readonly ifMatch: 'none' | 'any' | 'current' | 'old';
  readonly afterMs: number;
}

const IF_MATCH = {
  none: () => null,
  any: () => '*',
  current: (stored: Registered | undefined) => (stored ? etagOf(stored) : '"none"'),
  old: () => '"r-old", W/"r-older"',
} as const;

/** Registers once, and gives what is registered then. */
function register(stored: Registered | undefined, step: Step, now: number, revision: string) {
  const ifMatch = IF_MATCH[step.ifMatch](stored);
  const asked = { definition: definition({ tags: [step.content] }), ifMatch, revision, now };
  return decideRegister(stored, { ...asked, count: 0 });
}

const isAccepted = (stored: Registered | undefined, { ifMatch }: Step) =>
  ifMatch === 'none' || (stored !== undefined && ifMatch !== 'old');

describe('a registration', () => {
  const anyStep: fc.Arbitrary<Step> = fc.record({
    content: fc.constantFrom('a', 'b'),
    ifMatch: fc.constantFrom('none', 'any', 'current', 'old'),
    afterMs: fc.nat(10_000),
  });

  it('changes its ETag exactly when its content changes, and is dated by that', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        let stored: Registered | undefined;
        let now = 0;
        for (const [i, step] of steps.entries()) {
          now += step.afterMs;
          const before = stored;
          const decision = register(before, step, now, `r${i}`);
          expect('service' in decision).toBe(isAccepted(before, step));
          if (!('service' in decision)) continue;
          stored = decision.service;
          const isSame = before?.definition.tags[0] === step.content;
          expect(stored.revision === before?.revision).toBe(isSame);
          expect(stored.renewedAt).toBe(now);
          const kept = before ?? { registeredAt: now, updatedAt: now };
          expect(stored.registeredAt).toBe(kept.registeredAt);
          expect(stored.updatedAt).toBe(isSame ? kept.updatedAt : now);
        }
      }),
      { seed: 21 },
    );
  });

  it('is refused where there are too many, unless it takes the place of one', () => {
    const asked = { definition: definition(), ifMatch: null, revision: 'r', now: 0, count: 500 };
    const first = decideRegister(undefined, { ...asked, count: 499 });

    expect(first.kind).toBe('created');
    expect(decideRegister(undefined, asked).kind).toBe('full');
    expect(decideRegister('service' in first ? first.service : undefined, asked).kind).toBe(
      'renewed',
    );
  });

  it('with a ttl turns critical after it, and goes after three', () => {
    const decision = decideRegister(undefined, {
      definition: definition({ ttl_s: 20 }),
      ifMatch: null,
      revision: 'r',
      now: 1_000,
      count: 0,
    });
    const service = 'service' in decision ? decision.service : undefined;

    expect(service && [expiryOf(service), removalOf(service)]).toEqual([21_000, 61_000]);
  });
});

describe('a removal', () => {
  it('needs something to remove, and its ETag where one is given', () => {
    const stored: Registered = {
      definition: definition(),
      revision: 'r1',
      registeredAt: 0,
      updatedAt: 0,
      renewedAt: 0,
    };

    expect(decideRemove(undefined, null)).toBe('absent');
    expect(decideRemove(undefined, '*')).toBe('absent');
    expect(decideRemove(stored, null)).toBe('removed');
    expect(decideRemove(stored, '*')).toBe('removed');
    expect(decideRemove(stored, '"r0", "r1"')).toBe('removed');
    expect(decideRemove(stored, '"r0"')).toBe('precondition-failed');
    // If-Match compares strongly (RFC 9110, section 13.1.1).
    expect(decideRemove(stored, 'W/"r1"')).toBe('precondition-failed');
  });
});

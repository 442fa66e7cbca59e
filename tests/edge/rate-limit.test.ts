import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../edge/http/problem.ts';
import { createRateLimiter } from '../../edge/http/rate-limit.ts';
import { type Bucket, takeToken } from '../../edge/http/token-bucket.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

const policies = fc.record({
  perSecond: fc.double({ min: 0.1, max: 1000, noNaN: true }),
  burst: fc.integer({ min: 1, max: 500 }),
});

describe('a token bucket', () => {
  it('lets through at most its burst and what has flowed in since', () => {
    fc.assert(
      fc.property(policies, fc.array(fc.nat(2000), { maxLength: 300 }), (policy, pauses) => {
        let bucket: Bucket | undefined;
        let now = 0;
        let allowed = 0;
        for (const pause of pauses) {
          now += pause;
          const taken = takeToken(bucket, policy, now);
          bucket = taken.bucket;
          allowed += Number(taken.isAllowed);
        }
        // One millionth for what adding up fractions loses.
        const most = policy.burst + (now * policy.perSecond) / 1000 + 1e-6;
        expect(allowed).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('allows the next request exactly when it said it would', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        let bucket: Bucket | undefined;
        let taken = takeToken(bucket, policy, 0);
        while (taken.isAllowed) taken = takeToken((bucket = taken.bucket), policy, 0);

        expect(takeToken(bucket, policy, taken.waitMs).isAllowed).toBe(true);
        expect(takeToken(bucket, policy, taken.waitMs - 2).isAllowed).toBe(false);
      }),
    );
  });

  it('gives nothing for a clock that was put back', () => {
    const policy = { perSecond: 1, burst: 1 };
    const { bucket } = takeToken(undefined, policy, 10_000);

    const earlier = takeToken(bucket, policy, 0);
    expect(earlier.isAllowed).toBe(false);
    expect(takeToken(earlier.bucket, policy, 10_000).isAllowed).toBe(false);
    expect(takeToken(earlier.bucket, policy, 11_000).isAllowed).toBe(true);
  });
});

describe('a rate limiter', () => {
  it('counts callers and limits apart', () => {
    const limiter = createRateLimiter(() => 0);
    const limit = { name: 'default', perSecond: 1, burst: 1 };

    limiter.take('a', limit);

    expect(() => limiter.take('a', limit)).toThrow(Problem);
    expect(limiter.take('b', limit)).toEqual({
      'ratelimit-policy': '"default";q=1;w=1',
      ratelimit: '"default";r=0;t=1',
    });
    expect(limiter.take('a', { ...limit, name: 'other' })).toBeDefined();
  });

  it('forgets who was quiet the longest when there are too many callers', () => {
    const limiter = createRateLimiter(() => 0);
    const limit = { name: 'default', perSecond: 1, burst: 2 };
    for (const caller of ['first', 'second', 'first']) limiter.take(caller, limit);
    for (let i = 0; i < 9_999; i++) limiter.take(String(i), limit);

    // `first` was used after `second`, so it is still known, and empty.
    expect(() => limiter.take('first', limit)).toThrow(Problem);
    expect(limiter.take('second', limit).ratelimit).toContain('r=1');
  });
});

describe('the limits of a running service', () => {
  let edge: GuardedEdge;
  beforeAll(async () => {
    const vars = { RATE_LIMIT_PER_S: 0.05, RATE_LIMIT_BURST: 5, FAILED_AUTH_PER_MIN: 3 };
    edge = await startGuardedEdge({ vars });
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  it('are told with every answer, once also behind the gateway, and end in 429', async () => {
    const { key } = await edge.keyFor(['registry:read']);
    const answers = [];
    for (let i = 0; i < 6; i++) {
      answers.push(await send(new URL('/registry/models', edge.gateway), { key }));
    }

    const told = answers.map(({ headers }) => headers.get('ratelimit'));
    expect(told.map((text) => /r=(\d)/.exec(text!)?.[1])).toEqual(['4', '3', '2', '1', '0', '0']);
    const last = answers.at(-1)!;
    expect(last.status).toBe(429);
    expect(last.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(10);
    expect(await problemOf(last)).toMatchObject({ code: 'rate_limited', retryable: true });
    // Another key is another caller.
    const other = await edge.keyFor(['registry:read']);
    expect((await send(new URL('/models', edge.registry), { key: other.key })).status).toBe(200);
  });

  it('stop who keeps on guessing, and nobody with a good key', async () => {
    const { key } = await edge.keyFor(['registry:read']);
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await send(new URL('/models', edge.registry), { key: 'sg_guess' })).status);
    }

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await send(new URL('/models', edge.registry), { key })).status).toBe(200);
  });
});

import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { countRequest } from '../../edge/access/limits.ts';
import { createApiKey, formatApiKey, randomSecret } from '../../edge/access/contract/api-key.ts';
import type { Env } from '../../edge/env.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { addressGroup, clientAddress } from '../../edge/http/client-address.ts';
import { createFailedAuthLimits } from '../../edge/http/failed-auth-limits.ts';
import { Problem } from '../../edge/http/problem.ts';
import { createRateLimiter } from '../../edge/http/rate-limit.ts';
import { routesOf } from '../../edge/http/route.ts';
import { createService } from '../../edge/http/service.ts';
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

describe('the limit of training', () => {
  const endpoints = {
    train: { method: 'POST', path: '/train', limit: 'train' },
    look: { method: 'GET', path: '/jobs' },
  } as const;
  const described = {
    summary: '',
    access: 'train',
    query: z.strictObject({}),
    responses: { 204: null },
  } as const;
  const done = () => ({ status: 204, body: undefined }) as const;
  const table = {
    train: { ...endpoints.train, ...described },
    look: { ...endpoints.look, ...described },
  } as const;
  const settings = { RATE_LIMIT_PER_S: 100, RATE_LIMIT_BURST: 200 } as Env;
  const keyed = (id: string): Caller => ({
    kind: 'key',
    id,
    team: 'default',
    scopes: ['train'],
    until: null,
  });

  /** A service whose endpoints are the ones above, and what it answers a caller. */
  const serve = createService<Env>({
    name: 'training',
    routes: routesOf<Env, typeof table>(table, { train: done, look: done }),
    guard: (call) => {
      const caller = call.forwardedCaller ?? { kind: 'anonymous' };
      countRequest(call, caller);
      return caller;
    },
    count: countRequest,
    allowedOrigins: () => new Set(),
    idempotencyOf: () => {
      throw new Error('nothing is repeated here');
    },
    reportingOf: () => ({ sink: () => ({ record: async () => {} }), everyMs: 1 }),
  });
  const ask = (caller: Caller, path = '/train', method = 'POST') =>
    serve(new Request(`http://host.test${path}`, { method }), settings, {
      props: { caller },
      waitUntil: () => {},
    });

  it('is ten in a minute for each key, beside the one of all requests', async () => {
    for (let left = 9; left >= 0; left--) {
      const answer = await ask(keyed('one'));
      expect(answer.status).toBe(204);
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=100;w=1, "train";q=10;w=60');
      expect(answer.headers.get('ratelimit')).toContain(`"train";r=${left};`);
    }

    const refused = await ask(keyed('one'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('6');
    expect(refused.headers.get('ratelimit')).toMatch(/"train";r=0;t=60/);
    expect((await problemOf(refused)).detail).toContain('10 a minute');
    expect((await ask(keyed('one'), '/jobs', 'GET')).status).toBe(204);
    expect((await ask(keyed('two'))).status).toBe(204);
  });

  it('does not hold for this machine', async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 30; i++) {
      statuses.add((await ask({ kind: 'local', team: 'default', scopes: ['train'] })).status);
    }

    expect([...statuses]).toEqual([204]);
  });
});

describe('the limits of a running service', () => {
  let edge: GuardedEdge;
  beforeAll(async () => {
    const vars = { RATE_LIMIT_PER_S: 0.05, RATE_LIMIT_BURST: 5, FAILED_AUTH_PER_MIN: 3 };
    edge = await startGuardedEdge({ vars });
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  it('are sent with every response, once also behind the gateway, and end in 429', async () => {
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

  it('stop a caller that keeps guessing, and nobody with a valid key', async () => {
    const { key } = await edge.keyFor(['registry:read']);
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await send(new URL('/models', edge.registry), { key: 'sg_guess' })).status);
    }

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await send(new URL('/models', edge.registry), { key })).status).toBe(200);
  });

  it('count the other end of a connection, whatever a header says it is', async () => {
    const guesses = Array.from({ length: 6 }, (_, i) => ({
      authorization: `Bearer ${formatApiKey(createApiKey())}`,
      'cf-connecting-ip': `203.0.113.${i}`,
      'x-forwarded-for': `203.0.113.${i}`,
      forwarded: `for=203.0.113.${i}`,
      'mf-cf-blob': JSON.stringify({ clientIp: `203.0.113.${i}` }),
    }));

    const statuses = await Promise.all(guesses.map((headers) => askFrom('127.0.0.2', headers)));

    expect(statuses.toSorted()).toEqual([401, 401, 401, 429, 429, 429]);
  });

  it('count cookies of sessions that never were, each of them once', async () => {
    const { key } = await edge.keyFor(['registry:read']);
    const cookieOf = () => ({ cookie: `spikegrid_session=${randomSecret()}.${randomSecret()}` });
    const stale = cookieOf();

    const tab = [];
    for (let i = 0; i < 6; i++) tab.push(await askFrom('127.0.0.3', stale, '/api/session'));
    const guessed = [];
    for (let i = 0; i < 4; i++) guessed.push(await askFrom('127.0.0.3', cookieOf()));

    expect(tab).toEqual([200, 200, 200, 200, 200, 200]);
    expect(guessed).toEqual([401, 401, 429, 429]);
    expect(await askFrom('127.0.0.3', { authorization: `Bearer ${key}` })).toBe(200);
  });

  it('count wrong passwords of CONNECT, and close over the limit', async () => {
    const codes = [];
    for (let i = 0; i < 5; i++) codes.push(await connectFrom('127.0.0.4', 'sg_guess'));

    expect(codes.map(([first]) => first)).toEqual([0x20, 0x20, 0x20, 0x88, 0x88]);
  });

  it('hold for all addresses together, but for credentials that are known', async () => {
    const key = `Bearer ${(await edge.keyFor(['registry:read'])).key}`;
    expect(await askFrom('127.0.0.5', { authorization: key })).toBe(200);
    const guess = (from: string) => askFrom(from, { authorization: 'Bearer sg_guess' });
    for (let i = 0; i < 40; i++) await guess(`127.0.1.${1 + Math.floor(i / 2)}`);

    expect(await guess('127.0.2.1')).toBe(429);
    expect(await askFrom('127.0.0.5', { authorization: key })).toBe(200);
  });

  /** The status of a request from one of this machine's addresses. */
  async function askFrom(from: string, headers: OutgoingHttpHeaders, path = '/registry/models') {
    const asked = request(new URL(path, edge.gateway), { localAddress: from, headers });
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }

  /** The first bytes that a client of MQTT gets after its CONNECT. */
  async function connectFrom(from: string, password: string): Promise<Buffer> {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'mqtt',
    };
    const asked = request(new URL('/mqtt/brain/tokyo', edge.gateway), {
      localAddress: from,
      headers,
    });
    const [, socket] = (await once(asked.end(), 'upgrade')) as [IncomingMessage, Socket];
    const packet = generate({
      cmd: 'connect',
      clientId: 'guess',
      clean: true,
      protocolVersion: 5,
      username: 'u',
      password: Buffer.from(password),
    });
    // A frame of RFC 6455 whose mask changes nothing.
    socket.write(Buffer.concat([Buffer.from([0x82, 0x80 | packet.length, 0, 0, 0, 0]), packet]));
    const [frame] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return frame[0] === 0x82 ? frame.subarray(2) : frame;
  }
});

describe('wrong credentials', () => {
  it('are hardly looked up over the limits, and nobody is distinguished by an IPv6 address', async () => {
    let now = 0;
    const guesses = createFailedAuthLimits(
      () => 10,
      () => now,
    );
    let lookedUp = 0;
    const guess = (address: string) => {
      try {
        guesses.admit(addressGroup(address), randomSecret());
        lookedUp += 1;
        guesses.failed(addressGroup(address));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    };
    guesses.held('known');

    for (let i = 0; i < 2_000; i++) guess(`2001:db8:0:1::${i.toString(16)}`);
    // Ten, and five while there is room.
    expect(lookedUp).toBe(15);

    lookedUp = 0;
    for (let i = 0; i < 20_000; i++) guess(`2001:db8:${i.toString(16)}::1`);
    expect(lookedUp).toBeLessThan(150);
    expect(() => guesses.admit(addressGroup('2001:db8:0:1::ffff'), 'known')).not.toThrow();
    guesses.ended('known');
    expect(() => guesses.admit(addressGroup('2001:db8:0:1::ffff'), 'known')).toThrow(Problem);

    now += 60_000;
    expect(() => guesses.admit(addressGroup('2001:db8:0:1::ffff'), 'new')).not.toThrow();
  });

  it.each([
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8::1', '2001:db8:0:0:ffff::', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['no address', 'none either', true],
  ])('from %s and %s are of one caller: %s', (one, other, isOne) => {
    expect(addressGroup(one) === addressGroup(other)).toBe(isOne);
  });

  it('come from whom the runtime names, else from whom Cloudflare names', () => {
    const headers = new Headers({ 'cf-connecting-ip': '203.0.113.9' });

    expect(clientAddress({ headers, cf: { clientIp: '[2001:db8::1]:80' } })).toBe('2001:db8::1');
    expect(clientAddress({ headers, cf: { clientIp: '192.0.2.1:80' } })).toBe('192.0.2.1');
    expect(clientAddress({ headers, cf: { colo: 'NRT' } })).toBe('203.0.113.9');
    expect(clientAddress({ headers: new Headers() })).toBe('unknown');
  });
});

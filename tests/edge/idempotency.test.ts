import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyList } from '../../edge/access/contract/keys.ts';
import { respondOnce, type IdempotencyRecords } from '../../edge/http/idempotency.ts';
import { decide, KEPT_MS, LEASE_MS, type RequestState } from '../../edge/idempotency/machine.ts';
import { problemOf, startEdge, tiny } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { startUpstream } from './upstream.ts';

describe('the machine of a repeated request', () => {
  const answer = { status: 201, headers: {}, body: '{}' };
  type Step = readonly ['begin' | 'finish' | 'release', fingerprint: string, pause: number];
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom('begin' as const, 'finish' as const, 'release' as const),
      fc.constantFrom('a', 'b'),
      fc.constantFrom(0, 1, LEASE_MS - 1, LEASE_MS, KEPT_MS),
    ),
  );

  const moved = (state: RequestState | undefined, [step]: Step, now: number) => {
    if (state?.status !== 'running') return state;
    return step === 'release'
      ? undefined
      : ({ ...state, status: 'done', until: now + KEPT_MS, answer } as const);
  };

  it('carries a request out at most once in its time, and replays only its own answer', () => {
    fc.assert(
      fc.property(steps, (sequence: readonly Step[]) => {
        let state: RequestState | undefined;
        let now = 0;
        for (const step of sequence) {
          now += step[2];
          if (step[0] !== 'begin') {
            state = moved(state, step, now);
            continue;
          }
          const isLive = state !== undefined && state.until > now;
          const isSame = state?.fingerprint === step[1];
          const { kind } = decide(state, step[1], now);
          const expected = state?.status === 'done' ? 'replay' : 'in-flight';
          expect(kind).toBe(isLive ? (isSame ? expected : 'mismatch') : 'start');
          if (kind !== 'start') continue;
          state = { fingerprint: step[1], status: 'running', until: now + LEASE_MS, answer: null };
        }
      }),
    );
  });

  it('does not repeat a request whose response could not be stored', () => {
    const state = { fingerprint: 'a', status: 'done', until: 10, answer: null } as const;

    expect(decide(state, 'a', 9)).toEqual({ kind: 'not-kept' });
    expect(decide(state, 'a', 10)).toEqual({ kind: 'start' });
  });
});

describe('Idempotency-Key', () => {
  let edge: GuardedEdge;
  beforeAll(async () => {
    edge = await startGuardedEdge();
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  const register = (id: string, idempotencyKey: string, key = edge.admin, extra = {}) =>
    send(new URL('/registry/models/register', edge.gateway), {
      key,
      method: 'POST',
      json: { ...tiny, model_id: id, ...extra },
      headers: { 'idempotency-key': idempotencyKey },
    });

  it('gives the same answer again, with its status, and says so', async () => {
    const first = await register('once', 'k1');
    const again = await register('once', '"k1"');

    // Without the key, repeating a registration answers 200.
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('content-type')).toBe('application/json');
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('refuses the same key with another body', async () => {
    await register('body', 'k2');

    const other = await register('body', 'k2', edge.admin, { description: 'another' });
    expect((await problemOf(other)).code).toBe('idempotency_mismatch');
  });

  it('belongs to its caller and its route', async () => {
    const { key } = await edge.keyFor(['registry:write']);
    await register('mine', 'k3');

    const another = await register('mine', 'k3', key);
    expect(another.status).toBe(200);
    expect(another.headers.has('idempotency-replayed')).toBe(false);
  });

  it('carries two requests at once out once only', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register('race', 'k4')));

    const ran = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
    );
    expect(ran).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.headers.get('retry-after')).toBe('1');
      expect((await problemOf(answer)).code).toBe('idempotency_in_flight');
    }
  });

  it('is free again after a refusal, as that did nothing', async () => {
    const refused = await register('NOT VALID', 'k5');
    const corrected = await register('valid', 'k5');

    expect([refused.status, corrected.status]).toEqual([422, 201]);
  });

  it('never stores a secret, and yet creates one key only', async () => {
    const make = () =>
      send(new URL('/api/keys', edge.gateway), {
        key: edge.admin,
        method: 'POST',
        json: { name: 'only one', scopes: ['infer'] },
        headers: { 'idempotency-key': 'k6' },
      });
    const first = await make();
    const again = await make();

    expect(first.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expect((await problemOf(again)).code).toBe('already_exists');
    const list = await send(new URL('/api/keys', edge.gateway), { key: edge.admin });
    const { keys } = KeyList.parse(await list.json());
    expect(keys.filter(({ name }) => name === 'only one')).toHaveLength(1);
  });

  it.each(['""', 'a'.repeat(256), 'two words'])('cannot be %j', async (key) => {
    expect((await problemOf(await register('bad-key', key))).code).toBe('invalid_parameter');
  });

  it('is not taken with a body beyond 1 MiB', async () => {
    const large = { description: 'x'.repeat(1024 * 1024) };
    const refused = await register('large', 'k7', edge.admin, large);
    expect((await problemOf(refused)).code).toBe('payload_too_large');
  });
});

describe('a response that is not stored', () => {
  it('is handed on as the one stream it is, so that a caller who leaves ends it', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const events = new ReadableStream({ cancel: () => end('ended') });
    const repeats: IdempotencyRecords = {
      begin: async () => ({ kind: 'start', number: 1 }),
      finish: async () => {},
      release: async () => {},
    };
    const headers = { 'idempotency-key': 'k1' };
    const request = new Request('http://host.test/', { method: 'POST', headers });
    const run = async () =>
      new Response(events, { headers: { 'content-type': 'text/event-stream' } });

    const answer = await respondOnce(repeats, { request, keeps: true, maxBytes: 0 }, run);
    void answer.body?.cancel();

    expect(await ended).toBe('ended');
  });
});

describe('the size of a body', () => {
  it('may be the same with an Idempotency-Key as without one', async () => {
    await using inference = await startUpstream(async (request, response) => {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).byteLength;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ size }));
    });
    await using edge = await startEdge({ vars: { UPSTREAMS: { inference: inference.url } } });
    const post = (url: URL, size: number, headers: Readonly<Record<string, string>>) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        // JSON, and of exactly this size.
        body: `"${'x'.repeat(size - 2)}"`,
      });
    const generate = new URL('/api/generate', edge.gateway);
    const metrics = new URL('/metrics', edge.monitoring);
    const most = { generate: 20 * 1024 * 1024, metrics: 5 * 1024 * 1024 };

    for (const headers of [{}, { 'idempotency-key': 'large' }]) {
      const whole = await post(generate, most.generate, headers);
      expect(await whole.json()).toEqual({ size: most.generate });
      for (const [url, size] of [
        [generate, most.generate],
        [metrics, most.metrics],
      ] as const) {
        const problem = await problemOf(await post(url, size + 1, headers));
        expect(problem.code).toBe('payload_too_large');
        expect(problem.detail).toBe(`The body holds more than ${size} bytes.`);
      }
      // It was read to its end: text is no metrics.
      expect((await post(metrics, most.metrics, headers)).status).toBe(422);
    }
  });
});

describe('Idempotency-Key of a request that goes on to a slow or failing service', () => {
  it('refuses a second one meanwhile, is free after a failure, and stored after a response', async () => {
    const answers: ((status: number) => void)[] = [];
    const arrivals: (() => void)[] = [];
    const arrival = () => new Promise<void>((resolve) => arrivals.push(resolve));
    await using inference = await startUpstream((request, response) => {
      if (request.method === 'GET') return void response.end();
      answers.push((status) => {
        const [type, body] =
          status === 500
            ? ['application/problem+json', { code: 'internal' }]
            : ['application/json', { count: answers.length }];
        response.writeHead(status, { 'content-type': type });
        response.end(JSON.stringify(body));
      });
      arrivals.shift()?.();
    });
    await using edge = await startGuardedEdge({
      vars: { UPSTREAMS: { inference: inference.url } },
    });
    const generate = () =>
      send(new URL('/api/generate', edge.gateway), {
        ...{ key: edge.admin, method: 'POST', json: { prompt: 'call me' } },
        headers: { 'idempotency-key': 'k1' },
      });

    const arrived = arrival();
    const first = generate();
    await arrived;
    const meanwhile = await generate();
    // 500 says nothing of another try, so the gateway hands it on.
    answers[0]?.(500);
    expect((await first).status).toBe(500);
    expect((await problemOf(meanwhile)).code).toBe('idempotency_in_flight');

    const arrivedAgain = arrival();
    const second = generate();
    await arrivedAgain;
    answers[1]?.(200);
    expect(await (await second).json()).toEqual({ count: 2 });

    const third = await generate();
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(await third.json()).toEqual({ count: 2 });
    expect(answers).toHaveLength(2);
  });
});

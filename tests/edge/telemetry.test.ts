import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertEndpoints } from '../../edge/alerts/endpoints.ts';
import { callEndpoint } from '../../edge/contract/client.ts';
import { ServiceMetrics } from '../../edge/monitoring/contract/metrics-query.ts';
import { type MetricDescription, MetricRegistry } from '../../edge/monitoring/metric-registry.ts';
import { alertClient, FAST_ALERTS } from './alert-client.ts';
import { bytesOf, type Edge, registerModel, startEdge } from './harness.ts';
import { openRequest } from './raw-http.ts';
import { trainingClient } from './training-client.ts';
import { begin, patch } from './tus-client.ts';
import { closedAddress, startUpstream } from './upstream.ts';

const JOBS: MetricDescription = { name: 'jobs_total', help: 'Jobs.', unit: null };
const TIME: MetricDescription = { name: 'job_seconds', help: 'Time.', unit: 'seconds' };
const DEPTH: MetricDescription = { name: 'depth', help: 'Depth.', unit: null };

/** A busy machine takes its time to send and to store millions of bytes. */
const PATIENT = { timeout: 10_000 };

const valuesOf = (meters: MetricRegistry) => meters.take().map(({ name, value }) => [name, value]);

describe('the meters of an isolate', () => {
  it('report what came since the last report, also nothing', () => {
    const meters = new MetricRegistry('svc');
    meters.count(JOBS, {});
    meters.count(JOBS, {}, 4);
    meters.peak(DEPTH, {}, 3);
    meters.peak(DEPTH, {}, 2);

    expect(valuesOf(meters)).toEqual([
      ['jobs_total', 5],
      ['depth', 3],
    ]);
    expect(valuesOf(meters)).toEqual([
      ['jobs_total', 0],
      ['depth', 0],
    ]);
  });

  it('count durations in cumulative buckets', () => {
    const meters = new MetricRegistry('svc');
    for (const seconds of [0.001, 0.3, 99]) meters.observe(TIME, {}, seconds);

    const [sample] = meters.take();

    expect(sample).toMatchObject({ type: 'histogram', temporality: 'delta' });
    expect(sample?.value).toMatchObject({
      counts: [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2],
      count: 3,
      sum: 99.301,
    });
  });

  it('take a report back that did not arrive', () => {
    const meters = new MetricRegistry('svc');
    meters.count(JOBS, { kind: 'a' }, 2);
    meters.observe(TIME, {}, 0.3);
    meters.observe(TIME, {}, 99);
    const lost = meters.take();
    meters.count(JOBS, { kind: 'a' }, 1);

    meters.restore(lost);

    const [jobs, time] = meters.take();
    expect(jobs?.value).toBe(3);
    expect(time?.value).toEqual(lost[1]?.value);
  });

  it('count what they have no room for', () => {
    const meters = new MetricRegistry('svc', 2);
    for (const kind of ['a', 'b', 'c', 'd']) meters.count(JOBS, { kind });

    expect(valuesOf(meters)).toEqual([
      ['jobs_total', 1],
      ['jobs_total', 1],
      ['telemetry_dropped_total', 2],
    ]);
  });
});

describe('a service', () => {
  let edge: Edge;
  beforeAll(async () => {
    // Nobody listens there.
    const UPSTREAMS = { away: 'http://127.0.0.1:9' };
    edge = await startEdge({ vars: { METRICS_FLUSH_MS: 20, UPSTREAMS } });
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  async function reported(service: string, name: string, from: Edge = edge) {
    const url = new URL(`/metrics/${service}?name=${name}`, from.monitoring);
    const answer = await fetch(url);
    if (answer.status === 404) return [];
    return ServiceMetrics.parse(await answer.json()).series.map(({ labels, last }) => {
      const { method, route, status, queue } = labels;
      return [method, route, status, queue, last].filter((part) => part !== undefined).join(' ');
    });
  }

  it('reports its requests by route and status', async () => {
    const get = (path: string) => fetch(new URL(path, edge.registry));
    await Promise.all([get('/models'), get('/models'), get('/models/absent'), get('/nowhere')]);
    await fetch(new URL('/models', edge.registry), { method: 'DELETE' });

    await expect
      .poll(() => reported('registry', 'http_requests_total'))
      .toEqual(
        expect.arrayContaining([
          'GET /models 2xx 2',
          'GET /models/:id 4xx 1',
          'GET none 4xx 1',
          'DELETE none 4xx 1',
        ]),
      );
    expect(await reported('registry', 'http_request_duration_seconds')).toEqual(
      expect.arrayContaining(['GET /models 2', 'GET /models/:id 1']),
    );
    await expect
      .poll(() => reported('registry', 'http_requests_in_flight'))
      .toEqual([expect.stringMatching(/^[0-9]$/)]);
  });

  it('checks its dependencies once a second, however many request its health', async () => {
    const asked = 600;
    const began = Date.now();
    const health = () => fetch(new URL('/health', edge.gateway));
    for (let sent = 0; sent < asked; sent += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, health));
      expect(answers.every(({ ok }) => ok)).toBe(true);
    }
    const seconds = Math.ceil((Date.now() - began) / 1000);
    const countOf = async (service: string) =>
      Number(
        (await reported(service, 'http_requests_total'))
          .find((line) => line.startsWith('GET /health 2xx'))
          ?.split(' ')
          .at(-1) ?? 0,
      );

    await expect.poll(() => countOf('gateway')).toBe(asked);
    const looks = await countOf('registry');
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(seconds + 1);
  });

  it('at the gateway counts what it forwards under the service, and each try', async () => {
    await fetch(new URL('/registry/models', edge.gateway));
    await fetch(new URL('/away/anything?x=1', edge.gateway));
    await fetch(new URL('/', edge.gateway));

    await expect
      .poll(() => reported('gateway', 'http_requests_total'))
      .toEqual(
        expect.arrayContaining([
          'GET /registry/* 2xx 1',
          'GET /away/* 5xx 1',
          'GET dashboard 2xx 1',
        ]),
      );
    expect(await reported('gateway', 'gateway_upstream_requests_total')).toEqual(['error 2']);
  });

  it('leaves out how long a trainer waits for work, also at the gateway', async () => {
    const client = trainingClient(new URL('/training', edge.gateway));
    const { trainer_id } = await client.announce();
    const started = performance.now();
    expect(await client.lease(trainer_id, 2)).toBeUndefined();
    expect(performance.now() - started).toBeGreaterThan(1900);

    const seconds = async () => {
      const text = await (await fetch(new URL('/metrics', edge.monitoring))).text();
      const of = (service: string, route: string) =>
        new RegExp(
          `^http_request_duration_seconds_sum\\{.*route="${route}",service="${service}"\\} (.*)$`,
          'm',
        )
          .exec(text)
          ?.at(1);
      return [of('training', '/leases'), of('gateway', '/training/\\*')];
    };
    await expect.poll(seconds).toEqual([expect.any(String), expect.any(String)]);
    for (const sum of await seconds()) expect(Number(sum)).toBeLessThan(1.9);
  });

  it('reports the length of its queues', async () => {
    const vars = { ...FAST_ALERTS, ALERTS_RETRY_MS: 60_000, METRICS_FLUSH_MS: 20 };
    await using own = await startEdge({ vars });
    const { http, addReceiver } = alertClient(own.monitoring);
    // Nobody listens there, so the notification waits for the next try.
    const { id } = await addReceiver({ name: 'away', url: await closedAddress() });
    await callEndpoint(http, alertEndpoints.testReceiver, { params: { id } });

    await expect
      .poll(() => reported('monitoring', 'queue_depth', own))
      .toEqual(
        expect.arrayContaining([
          'notifications 1',
          expect.stringMatching(/^metric_points [1-9]\d*$/),
        ]),
      );
  });

  it('reports the number of uploads in progress', async () => {
    const depth = () => reported('registry', 'queue_depth');
    const model = await registerModel(edge.registry, 'queued');
    const resumable = await begin(model, { length: 3 });
    await expect.poll(depth, PATIENT).toEqual(['uploads 1']);
    // Bytes that come in one request are announced with their first part.
    const whole = openRequest(edge.registry, [
      'POST /models/queued/upload?filename=whole.bin&version=1.0.0 HTTP/1.1',
      `Host: ${edge.registry.host}`,
      'Content-Type: application/octet-stream',
      'Content-Length: 20000000',
    ]);
    await whole.write(bytesOf(17_000_000, 1));
    await expect.poll(depth, PATIENT).toEqual(['uploads 2']);

    whole.hangUp();
    await expect.poll(depth, PATIENT).toEqual(['uploads 1']);
    await patch(resumable, 0, bytesOf(3, 1));

    await expect.poll(depth, PATIENT).toEqual(['uploads 0']);
  });

  it('counts a request as over once its caller hangs up', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    // It never answers.
    await using silent = await startUpstream(({ url }) => url === '/wait' && arrive());
    await using guarded = await startEdge({
      vars: { METRICS_FLUSH_MS: 20, UPSTREAMS: { silent: silent.url } },
    });
    const inFlight = () => reported('gateway', 'http_requests_in_flight', guarded);
    const waiting = openRequest(guarded.gateway, [
      'GET /silent/wait HTTP/1.1',
      `Host: ${guarded.gateway.host}`,
    ]);
    await arrived;
    await fetch(new URL('/health/live', guarded.gateway));
    await expect.poll(inFlight).toEqual(['2']);

    waiting.reset();

    await expect
      .poll(async () => {
        await fetch(new URL('/health/live', guarded.gateway));
        return inFlight();
      })
      .toEqual(['1']);
    expect(await reported('gateway', 'http_requests_total', guarded)).toContain(
      'GET /silent/* hung_up 1',
    );
  });
});

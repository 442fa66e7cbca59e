import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ServiceRecord,
  type ServiceRegistrationInput,
  ServicesHealth,
} from '../../edge/contract/service.ts';
import { eventually } from './eventually.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { closedAddress, startUpstream, type Upstream } from './upstream.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let edge: Edge;
let upstream: Upstream;
/** Responses of the upstream to a probe, by path; each test sets its own. */
const answers = new Map<string, Answer>();

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer) answer(request, response);
    else response.end('{"status":"ok"}');
  });
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const at = (path: string) => new URL(path, edge.gateway);
const register = (body: ServiceRegistrationInput) => postJson(at('/services/register'), body);
async function getRecord(name: string): Promise<ServiceRecord> {
  const answer = await fetch(at(`/services/${name}`));
  return ServiceRecord.parse(await answer.json());
}

describe('probes', () => {
  const health = {
    interval_s: 1,
    timeout_s: 0.3,
    failures_before_critical: 2,
    success_before_passing: 1,
  };
  const probedAt = (name: string) => `/${name}-health`;
  async function registerProbed(name: string) {
    const policy = { ...health, path: probedAt(name) };
    expect((await register({ name, url: upstream.url, health: policy })).status).toBe(201);
  }

  it.each<[string, Answer, string, string]>([
    ['hangs', () => {}, 'critical', 'no answer within 0.3 s'],
    [
      'hangs in the middle',
      (_, response) => void response.write('{"status":'),
      'critical',
      'no answer within 0.3 s',
    ],
    [
      'never ends',
      (_, response) => {
        const timer = setInterval(() => response.write('x'.repeat(20_000)), 1);
        response.on('close', () => clearInterval(timer));
      },
      'critical',
      'more than 65536 bytes',
    ],
    ['breaks-off', (request) => void request.socket.destroy(), 'critical', 'cannot be reached'],
    [
      'redirects',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
      'critical',
      'answers 302',
    ],
    ['errs', (_, response) => void response.writeHead(500).end(), 'critical', 'answers 500'],
    [
      'lies',
      (_, response) => void response.end('{"status":"unavailable"}'),
      'critical',
      'says unavailable',
    ],
    ['is-degraded', (_, response) => void response.end('{"status":"degraded"}'), 'warning', ''],
    ['speaks-plain-text', (_, response) => void response.end('fine'), 'passing', ''],
  ])('of a service that %s', async (name, answer, status, reason) => {
    const service = name.replaceAll(' ', '-');
    answers.set(probedAt(service), answer);

    await registerProbed(service);

    const record = await getRecord(service);
    expect(record.status).toBe(status);
    expect(record.instances[0]?.last_error ?? '').toContain(reason);
    expect(record.instances[0]?.last_check_at).not.toBeNull();
    expect((await fetch(at(`/${service}/x`))).status).toBe(status === 'critical' ? 503 : 200);
  });

  it('take an instance out after failures in a row and back in after successes', async () => {
    await registerProbed('wavering');
    expect((await getRecord('wavering')).status).toBe('passing');

    answers.set(probedAt('wavering'), (_, response) => void response.writeHead(503).end());
    await eventually(
      () => getRecord('wavering'),
      ({ status }) => status === 'critical',
    );
    const refused = await fetch(at('/wavering/x'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await problemOf(refused)).toMatchObject({
      code: 'no_healthy_instance',
      detail: 'The one instance of wavering is critical: its health answers 503.',
      retryable: true,
    });
    const health503 = await fetch(at('/services/health?strict=true'));
    expect(health503.status).toBe(503);
    expect(ServicesHealth.parse(await health503.json()).services['wavering']?.status).toBe(
      'critical',
    );

    answers.delete(probedAt('wavering'));
    await eventually(
      () => getRecord('wavering'),
      ({ status }) => status === 'passing',
    );
    await eventually(
      () => fetch(at('/wavering/x')),
      ({ status }) => status === 200,
    );
  });

  it('count a service with a sick instance among well ones as a warning', async () => {
    const instances = [{ url: upstream.url }, { url: await closedAddress() }];

    await register({ name: 'half', instances, health });

    const record = await getRecord('half');
    expect(record.status).toBe('warning');
    expect(record.instances.map(({ status }) => status)).toEqual(['passing', 'critical']);
  });
});

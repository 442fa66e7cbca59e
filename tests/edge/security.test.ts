import { EVENT_SCOPES } from '../../edge/events/contract/platform-event.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../edge/contract/endpoint.ts';
import { Scope } from '../../edge/contract/scope.ts';
import { allows } from '../../edge/http/caller.ts';
import {
  type DescribedService,
  SERVICE_NAMES,
  SERVICES,
} from '../../edge/api-description/services.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { upgrade } from './upgrade.ts';

/** The services of Node are asked the same by the tests of each. */
type InWorker = Exclude<
  DescribedService,
  'inference' | 'plugin-host' | 'test-host' | 'training-server'
>;
const isInWorker = (name: string): name is InWorker =>
  !['inference', 'plugin-host', 'test-host', 'training-server'].includes(name);

/** Every operation of every service of the Worker, directly and behind the gateway. */
interface Target {
  readonly service: InWorker;
  readonly endpoint: Endpoint;
}

const targets: readonly Target[] = SERVICE_NAMES.filter(isInWorker).flatMap((service) =>
  SERVICES[service].tables.flatMap(({ endpoints }) =>
    Object.values(endpoints).map((endpoint) => ({ service, endpoint })),
  ),
);
const guarded = targets.filter(({ endpoint }) => endpoint.access !== 'public');
const titled = (list: readonly Target[]) =>
  list.map((target) => {
    const { service, endpoint } = target;
    return [`${service}: ${endpoint.method} ${endpoint.path}`, target] as const;
  });

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-security-'));
let edge: GuardedEdge;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  const vars = { FAILED_AUTH_PER_MIN: 100_000, RATE_LIMIT_PER_S: 10_000, RATE_LIMIT_BURST: 10_000 };
  edge = await startGuardedEdge({ vars, stateDir });
  for (const scope of Scope.options) keys.set(scope, (await edge.keyFor([scope])).key);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true });
});

/** A key that is taken and one that is not: a service behind the gateway judges as it does when asked. */
function oneOfEach(isTaken: (scope: Scope) => boolean) {
  const first = (wanted: boolean) => [...keys].find(([scope]) => isTaken(scope) === wanted);
  return [first(true), first(false)].filter((key) => key !== undefined);
}

/** The status of an operation with a key, directly or behind the gateway. */
async function statusOf(
  { service, endpoint }: Target,
  key: string | undefined,
  way: 'direct' | 'forwarded',
): Promise<{ readonly status: number; readonly code: string; readonly challenge: string | null }> {
  const path = endpoint.path.replace(/:[a-z_]+/gi, 'none');
  const url =
    way === 'direct' ? new URL(path, edge[service]) : new URL(`/${service}${path}`, edge.gateway);
  const answer = await send(url, { key, method: endpoint.method });
  const problem = answer.ok
    ? undefined
    : ProblemDocument.safeParse(await answer.json().catch(() => undefined));
  await answer.body?.cancel().catch(() => {});
  return {
    status: answer.status,
    code: problem?.data?.code ?? '',
    challenge: answer.headers.get('www-authenticate'),
  };
}

describe.each(['direct', 'forwarded'] as const)('asked %s', (way) => {
  it.each(titled(guarded))('%s needs a key', async (_, target) => {
    const { status, challenge } = await statusOf(target, undefined, way);

    expect(status).toBe(401);
    expect(challenge).toBe('Bearer realm="spikegrid"');
  });

  it.each(titled(guarded))('%s does not take a key that is none', async (_, target) => {
    const { status, challenge } = await statusOf(target, `${edge.admin.slice(0, -1)}!`, way);

    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
  });

  it.each(titled(guarded))('%s takes exactly the keys with its scope', async (_, target) => {
    const { access, path } = target.endpoint;
    // The stream of events takes whoever may see any.
    const taken = path === '/events' ? Object.values(EVENT_SCOPES) : [access];
    const isTaken = (scope: Scope) => {
      const caller = {
        kind: 'key',
        id: 'x',
        team: 'default',
        scopes: [scope],
        until: null,
      } as const;
      return taken.some((one) => allows(caller, one));
    };
    for (const [scope, key] of way === 'direct' ? keys : oneOfEach(isTaken)) {
      const { status, code } = await statusOf(target, key, way);

      const isAllowed = isTaken(scope);
      // A refusal of another kind says that the guard has let it pass.
      const isRefused = status === 403 && code !== 'test_endpoint_disabled';
      expect([scope, isRefused]).toEqual([scope, !isAllowed]);
      expect([scope, status === 401 || code === 'route_not_found']).toEqual([scope, false]);
    }
  });
});

describe('what is not there', () => {
  const objects = () =>
    readdirSync(join(stateDir, 'do'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /[0-9a-f]{64}\.sqlite$/.test(path))
      .map((path) => path.split('/')[0]);
  const reads = guarded.filter(({ endpoint }) => endpoint.method === 'GET');

  /** Asks every GET for names that nobody has, wherever it takes one. */
  async function askAll(name: string): Promise<number> {
    const owners = [undefined, `key:${name}`, `token:${name}`];
    let answered = 0;
    for (const owner of owners) {
      const asked = reads.map(async ({ service, endpoint }) => {
        const url = new URL(endpoint.path.replace(/:[a-z_]+/gi, name), edge[service]);
        const shape = (endpoint.query as { shape?: object } | undefined)?.shape ?? {};
        for (const field of [
          'namespace',
          'region',
          'q',
          'query',
          'from',
          'to',
          'user_id',
          'node',
        ]) {
          if (field in shape) url.searchParams.set(field, name);
        }
        if (owner !== undefined && 'owner' in shape) url.searchParams.set('owner', owner);
        const answer = await send(url, { key: edge.admin });
        await answer.body?.cancel();
        if (answer.status !== 400) answered += 1;
      });
      await Promise.all(asked);
    }
    return answered;
  }

  it('no GET makes an object of', async () => {
    await askAll('ghost-0');
    const before = objects();
    for (const name of ['ghost-1', 'ghost-2']) expect(await askAll(name)).toBeGreaterThan(100);
    expect(objects().toSorted()).toEqual(before.toSorted());
    for (const path of ['/mqtt/ghost-3/x', '/mqtt/ghost-4/x']) {
      const answer = await upgrade(new URL(path, edge.gateway), {
        authorization: `Bearer ${keys.get('metrics:read')}`,
        'sec-websocket-protocol': 'mqtt',
      });
      expect(answer.status).toBe(403);
    }

    expect(objects().toSorted()).toEqual(before.toSorted());
  });
});

describe('the scope admin', () => {
  it('includes every other one but that of running tests', () => {
    const admin = {
      kind: 'key',
      id: 'x',
      team: 'default',
      scopes: ['admin'],
      until: null,
    } as const;

    expect(Scope.options.filter((scope) => !allows(admin, scope))).toEqual(['test:run']);
    expect(allows({ ...admin, scopes: ['test:run'] }, 'test:run')).toBe(true);
    expect(allows({ kind: 'anonymous' }, 'authenticated')).toBe(false);
  });
});

describe('what is public', () => {
  const isPublic = ({ endpoint }: Target) => endpoint.access === 'public';

  it('is health, the API description, the meaning of problems, how to upload, and the way in', () => {
    const paths = new Set(targets.filter(isPublic).map(({ endpoint }) => endpoint.path));

    expect([...paths].toSorted()).toEqual([
      '/.well-known/jwks.json',
      '/api/session',
      '/datasets/:name/uploads',
      '/health',
      '/health/live',
      '/health/ready',
      '/models/:id/uploads',
      '/openapi.json',
      '/problems/:code',
      '/v1/health',
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitsOf, type TestHost } from '../../compute/test-host/test-host.ts';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/access/contract/api-key.ts';
import type { AuditList } from '../../edge/access/contract/audit.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { CreatedKey } from '../../edge/access/contract/keys.ts';
import {
  TestRun,
  TestRunDetails,
  TestRunList,
  TestRunResult,
  TestStatus,
} from '../../edge/test-runs/contract/test-run.ts';
import { readMetrics } from './exposition-lint.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { startSigner } from './identity-signer.ts';
import {
  createHosts,
  type HostedEdge,
  LOOPBACK,
  runTests as run,
  shell,
  startHostedEdge,
} from './test-host-world.ts';

const hosts = createHosts();
let local: HostedEdge;
let closed: GuardedEdge;
let closedHost: TestHost;
beforeAll(async () => {
  local = await startHostedEdge(hosts);
  closed = await startGuardedEdge({ vars: LOOPBACK });
  const headers = { authorization: `Bearer ${closed.admin}` };
  closedHost = hosts.at(closed.gateway, { auth: 'required', headers });
  await closedHost.start();
});
afterAll(async () => {
  await closedHost.stop(0);
  await Promise.all([local, closed].map((edge) => edge[Symbol.asyncDispose]()));
  hosts.remove();
});

const read = (base: URL | string, path: string) => send(new URL(path, base));

/** A key that no other test has used up the six runs of. */
const runner = () => local.keyFor(['test:run']);

describe('requested test runs', () => {
  it('are done by a host that shows what it measures', async () => {
    expect(await readMetrics(local.direct)).toContain(
      'test_runs_under_way{service="test-host"} 0\n',
    );
  });

  it('run to their end, and are answered also where they fail', async () => {
    const key = await runner();

    const [good, bad] = [
      await run(local.gateway, 'unit', key),
      await run(local.gateway, 'integration', key),
    ];

    expect([good.status, bad.status]).toEqual([200, 200]);
    expect(TestRunResult.parse(await good.json())).toMatchObject({
      status: 'passed',
      test_type: 'unit',
      returncode: 0,
      stdout: '3 passed, 0 failed, 1 skipped\n',
      stderr: '',
      truncated: false,
      summary: { passed: 3, failed: 0, skipped: 1 },
    });
    expect(TestRunResult.parse(await bad.json())).toMatchObject({
      status: 'failed',
      returncode: 1,
      stderr: 'oh\n',
      summary: { failed: 1 },
    });
  });

  it('may be named in the body, too', async () => {
    const url = new URL('/test/run-tests', local.direct);
    const answer = await send(url, {
      key: await runner(),
      method: 'POST',
      json: { test_type: 'unit' },
    });

    expect(await answer.json()).toMatchObject({ test_type: 'unit', status: 'passed' });
  });

  it.each(['e2e', '', 'unit;reboot', '--project=engine', 'UNIT'])(
    'of the type "%s" are refused with 422',
    async (type) => {
      const answer = await run(local.gateway, encodeURIComponent(type), await runner());

      expect((await problemOf(answer)).code).toBe('validation_failed');
    },
  );

  it('run one at a time, are followed while they do, and are stored', async () => {
    const { gateway } = local;
    const key = await runner();

    const begun = await run(gateway, 'all', key, { prefer: 'respond-async' });
    const { run_id: id } = TestRun.parse(await begun.json());
    const second = await run(gateway, 'unit', key);
    const status = TestStatus.parse(await (await read(gateway, '/test/test-status')).json());
    const events = readEvents(await read(gateway, `/test/runs/${id}/output`));
    const first = await events.next();
    hosts.letGo();
    const rest = [];
    for await (const event of events) rest.push(event);

    expect([begun.status, begun.headers.get('location')]).toEqual([202, `/test/runs/${id}`]);
    expect(await problemOf(second)).toMatchObject({ code: 'test_run_in_progress', run_id: id });
    expect(status).toMatchObject({ status: 'running', current_run: { run_id: id } });
    expect(JSON.parse(first.value?.data ?? '')).toEqual({ stream: 'stdout', text: 'begun\n' });
    expect(rest.at(-1)).toMatchObject({ event: 'done' });
    expect(JSON.parse(rest.at(-1)?.data ?? '')).toMatchObject({ run_id: id, status: 'passed' });
    const kept = TestRunDetails.parse(await (await read(gateway, `/test/runs/${id}`)).json());
    expect(kept.stdout).toContain('begun\n1 passed');
    const { runs } = TestRunList.parse(await (await read(gateway, '/test/runs')).json());
    expect(runs[0]).toMatchObject({ run_id: id, status: 'passed' });
  });

  it('are in the audit log with the caller, also where the host was called directly', async () => {
    const key = await runner();
    const answers = [await run(local.gateway, 'unit', key), await run(local.direct, 'unit', key)];
    const ids = await Promise.all(
      answers.map(async (answer) => TestRunResult.parse(await answer.json()).run_id),
    );

    const url = new URL('/api/audit?action=test.run', local.gateway);
    const { events } = (await (await send(url)).json()) as AuditList;

    const id = key.split('_')[1];
    for (const target of ids) {
      expect(events).toContainEqual(
        expect.objectContaining({
          target,
          actor: { kind: 'key', id },
          detail: { test_type: 'unit', reported_by: 'local' },
        }),
      );
    }
  });

  it('are six an hour', async () => {
    const key = await runner();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await run(local.direct, 'e2e', key)).status);

    const seventh = await run(local.direct, 'unit', key);

    expect(new Set(statuses)).toEqual(new Set([422]));
    expect((await problemOf(seventh)).code).toBe('rate_limited');
    expect(seventh.headers.get('ratelimit-policy')).toBe('"test-run";q=6;w=3600');
    expect(Number(seventh.headers.get('retry-after'))).toBeGreaterThan(590);
  });
});

describe('tests are not run', () => {
  it('for who has no such scope, not even where this machine may do everything else', async () => {
    for (const base of [local.gateway, local.direct]) {
      expect((await problemOf(await run(base, 'unit'))).code).toBe('forbidden');
    }
    const admin = await local.keyFor(['admin']);
    expect((await problemOf(await run(local.direct, 'unit', admin))).code).toBe('forbidden');
  });

  it('for others than this machine, unless they are administrators', async () => {
    const key = await runner();
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    const [{ key: weak }, { key: strong }] = [
      await closed.keyFor(['test:run']),
      await closed.keyFor(['test:run', 'admin']),
    ];

    const refused = [
      await run(local.direct, 'unit', key, proxied),
      await run(local.gateway, 'unit', key, proxied),
      // Who says so himself does not come from here.
      await run(closed.gateway, 'unit', weak, { 'x-spikegrid-identity': 'forged' }),
    ];
    const allowed = await run(closed.gateway, 'unit', strong);

    for (const answer of refused) expect((await problemOf(answer)).code).toBe('forbidden');
    expect(allowed.status).toBe(200);
  });

  it('where that cannot be written down', async () => {
    await using signer = await startSigner();
    const strange = hosts.at(new URL(signer.url));
    await strange.start();
    const base = `http://127.0.0.1:${strange.port}`;
    const caller = {
      kind: 'key',
      id: 'abc',
      team: 'default',
      scopes: ['test:run'],
      until: null,
    } as const;
    const claims = {
      htm: 'POST',
      htu: '/test/run-tests?test_type=unit',
      caller: { ...caller, scopes: [...caller.scopes] },
    };
    const named = {
      'x-spikegrid-identity': await signer.sign(strange.facts.name, { ...claims, here: true }),
    };

    const answer = await run(base, 'unit', undefined, named);
    await strange.stop(0);

    expect((await problemOf(answer)).code).toBe('upstream_error');
  });

  it('for a time that has run out: 504, and the run is stored', async () => {
    const late = hosts.at(local.gateway, {
      suites: { ...hosts.suites, unit: shell('sleep 900') },
      timeLimitsMs: limitsOf(60_000, { unit: 200 }),
    });
    await late.start();
    const answer = await run(`http://127.0.0.1:${late.port}`, 'unit', await runner());
    const { status, types } = TestStatus.parse(
      await (await read(`http://127.0.0.1:${late.port}`, '/test/test-status')).json(),
    );
    await late.stop(0);

    expect(answer.status).toBe(504);
    expect(await problemOf(answer)).toMatchObject({
      code: 'upstream_timeout',
      run_id: expect.stringMatching(/^run_/),
    });
    expect(status).toBe('timeout');
    // Who asks again sees beforehand that it will hardly fit.
    expect(types).toMatchObject([
      { test_type: 'unit', time_limit_s: 0.2, last_status: 'timeout' },
      { test_type: 'integration', time_limit_s: 60, last_status: null, last_duration_ms: null },
      { test_type: 'all', time_limit_s: 60, last_status: null },
    ]);
  });
});

describe('where there is no host of tests, or one that may run none', () => {
  const secret = createApiKey();
  let bare: Edge;
  const key = formatApiKey(secret);
  beforeAll(async () => {
    const setting = `${secret.id}:${await hashSecret(secret.secret)}`;
    bare = await startEdge({ vars: { BOOTSTRAP_KEY: setting } });
  });
  afterAll(() => bare[Symbol.asyncDispose]());

  it('the gateway says that they are switched off', async () => {
    const made = await send(new URL('/api/keys', bare.gateway), {
      key,
      method: 'POST',
      json: { name: 'test', scopes: ['test:run'] },
    });
    const runKey = CreatedKey.parse(await made.json()).key;

    const status = TestStatus.parse(await (await read(bare.gateway, '/test/test-status')).json());
    const refused = await run(bare.gateway, 'unit', runKey);
    const list = TestRunList.parse(await (await read(bare.gateway, '/test/runs')).json());
    const none = `/test/runs/run_01KAJ9W9A1B2C3D4E5F6G7H8J9`;

    expect(status).toMatchObject({
      status: 'disabled',
      current_run: null,
      last_run: null,
      types: [],
    });
    expect((await problemOf(refused)).code).toBe('test_endpoint_disabled');
    expect(list).toEqual({ runs: [], total: 0 });
    for (const path of [none, `${none}/output`]) {
      expect((await problemOf(await read(bare.gateway, path))).code).toBe('run_not_found');
    }
  });

  it('the host says so itself', async () => {
    const host = hosts.at(local.gateway, { isEnabled: false });
    await host.start();
    const base = `http://127.0.0.1:${host.port}`;
    const status = TestStatus.parse(await (await read(base, '/test/test-status')).json());
    const refused = await run(base, 'e2e', await runner());
    await host.stop(0);

    expect(status.status).toBe('disabled');
    expect((await problemOf(refused)).code).toBe('test_endpoint_disabled');
  });
});

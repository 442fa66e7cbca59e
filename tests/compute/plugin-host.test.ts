import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import { PLUGIN_HOST_TAG, pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import { PluginHost } from '../../compute/plugin-host/plugin-host.ts';
import { readMetrics } from '../edge/exposition-lint.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import { writePlugin } from './plugin-folders.ts';
import { newRoot } from './plugin-system.ts';
import { runSpikegrid } from './spikegrid-process.ts';

const folders = { ...makeFolders(), plugins: true } as const;
let launcher: Launcher;
let http: Http;
beforeAll(async () => {
  const plugins = join(folders.state, 'plugins');
  mkdirSync(plugins, { recursive: true });
  await writePlugin(plugins, 'Mine', { body: 'return { value: Object.keys(inputs) };' });
  await writePlugin(plugins, 'Broken', { body: 'throw new Error("no idea");' });
  await writePlugin(plugins, 'Forged', { manifest: { sha256: '0'.repeat(64) } });
  launcher = await startLauncher(folders);
  http = openHttp({ base: `${launcher.gateway}/plugin-host`, headers: {} });
  await vi.waitUntil(async () => (await tagged()).includes('plugin-host'), { timeout: 30_000 });
});
afterAll(async () => {
  launcher.process.kill('SIGTERM');
  await launcher.ended();
  killLaunchers();
  rmSync(join(folders.state, '..'), { recursive: true });
});

/** The plugin hosts that the gateway knows. */
async function tagged(): Promise<string[]> {
  const gateway = openHttp({ base: launcher.gateway, headers: {} });
  const query = { tag: PLUGIN_HOST_TAG };
  const { body } = await callEndpoint(gateway, gatewayEndpoints.listServices, { query });
  return body.services.map(({ name }) => name);
}

const mine = { params: { name: 'Mine' } };

describe('the plugin host behind the gateway', () => {
  it('shows what it measures on its own port', async () => {
    const port = Number(new URL(launcher.gateway).port) + 5;
    const own = `http://127.0.0.1:${port}`;
    await callEndpoint(http, pluginEndpoints.listPlugins, {});

    const text = await readMetrics(own);

    expect(text).toMatch(
      /^http_requests_total\{method="GET",route="\/plugins",status="2xx",service="plugin-host"\} \d+$/m,
    );
    expect(text).toMatch(/^plugins\{status="ACTIVE",service="plugin-host"\} \d+$/m);
    expect(await (await fetch(`${launcher.gateway}/plugin-host/metrics`)).text()).toContain(
      'plugins{',
    );
  });

  it('lists what it has, and what it could not use', async () => {
    const { body } = await callEndpoint(http, pluginEndpoints.listPlugins, {});

    const names = body.plugins.map(({ name, status }) => `${name} ${status}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'LIFNeuronPlugin ACTIVE',
        'Mine ACTIVE',
        'Broken ACTIVE',
        'MQTTTransportPlugin LOADED',
      ]),
    );
    expect(body.total).toBe(body.plugins.length);
    expect(body.refused).toEqual([
      {
        source: expect.stringContaining('Forged'),
        reason: expect.stringContaining('sha256 is 000000'),
      },
    ]);
  });

  it('filters by type and status', async () => {
    const query = { type: 'NEURON', status: 'ACTIVE' } as const;
    const { body } = await callEndpoint(http, pluginEndpoints.listPlugins, { query });

    expect(new Set(body.plugins.map(({ type }) => type))).toEqual(new Set(['NEURON']));
  });

  it('says all about a plugin', async () => {
    const asked = { params: { name: 'LIFNeuronPlugin' } };
    const { body } = await callEndpoint(http, pluginEndpoints.getPlugin, asked);

    expect(body).toMatchObject({
      origin: 'built-in',
      digest: null,
      permissions: [],
      configuration: { tau: 20, threshold: 1 },
      configuration_schema: { properties: { tau: { type: 'number', unit: 'ms', default: 20 } } },
      inputs: { current: { kind: 'array', axes: ['T', 'N'], values: 'finite', optional: false } },
    });
  });

  it('takes settings, and names those that are wrong', async () => {
    const asked = { params: { name: 'LIFNeuronPlugin' } };
    const put = (values: Record<string, number | string>) =>
      callEndpoint(http, pluginEndpoints.putConfiguration, { ...asked, body: { values } });

    const { body } = await put({ tau: 7 });
    const read = await callEndpoint(http, pluginEndpoints.getConfiguration, asked);

    expect(body).toMatchObject({ status: 'ACTIVE', configuration: { tau: 7, threshold: 1 } });
    expect(read.body.values).toEqual(body.configuration);
    await expect(put({ tau: 0, taw: 1 })).rejects.toMatchObject({
      problem: {
        code: 'validation_failed',
        errors: [
          { pointer: '/values/tau', detail: expect.stringContaining('got 0') },
          { pointer: '/values/taw', detail: expect.stringContaining('unknown name') },
        ],
      },
    });
  });

  it('keeps secrets to itself, and keeps them where a form sends them back empty', async () => {
    const asked = { params: { name: 'MQTTTransportPlugin' } };
    const put = (values: Record<string, string>) =>
      callEndpoint(http, pluginEndpoints.putConfiguration, { ...asked, body: { values } });
    await put({ url: 'mqtt://127.0.0.1:1', password: 'hidden' });

    const { body } = await put({ url: 'mqtt://127.0.0.1:2', password: '' });

    expect(body.configuration).toMatchObject({ url: 'mqtt://127.0.0.1:2', password: '' });
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('executes, in the arrays of the wire', async () => {
    const current = { shape: [3, 2], data: [0, 2, 0, 0, 5, 0] };
    const { body } = await callEndpoint(http, pluginEndpoints.executePlugin, {
      params: { name: 'LIFNeuronPlugin' },
      body: { inputs: { current } },
    });

    expect(body.outputs).toEqual({ spikes: { shape: [3, 2], data: [0, 1, 0, 0, 1, 0] } });
    expect(body.duration_ms).toBeGreaterThan(0);
  });

  it.each([
    [{ current: [1, 2] }, '/inputs/current: expected {"shape": [...], "data": [...]}'],
    [{ current: { shape: [2, 2], data: [1] } }, '[2, 2] does not hold 1 numbers'],
    [{}, 'current is missing'],
  ])('refuses to execute with %j', async (inputs, detail) => {
    const asked = callEndpoint(http, pluginEndpoints.executePlugin, {
      params: { name: 'LIFNeuronPlugin' },
      body: { inputs },
    });

    await expect(asked).rejects.toMatchObject({
      problem: { code: 'validation_failed', detail: expect.stringContaining(detail) },
    });
  });

  it('deactivates and activates', async () => {
    const { deactivatePlugin, activatePlugin, executePlugin } = pluginEndpoints;

    const off = await callEndpoint(http, deactivatePlugin, mine);
    const refused = callEndpoint(http, executePlugin, { ...mine, body: { inputs: {} } });

    expect(off.body.status).toBe('INACTIVE');
    await expect(refused).rejects.toMatchObject({ problem: { code: 'plugin_state', status: 409 } });
    expect((await callEndpoint(http, activatePlugin, mine)).body.status).toBe('ACTIVE');
  });

  it('says why a plugin failed, in its record and its log, and tries it again', async () => {
    const broken = { params: { name: 'Broken' } };
    const { executePlugin, getPlugin, pluginLogs, activatePlugin } = pluginEndpoints;

    const asked = callEndpoint(http, executePlugin, { ...broken, body: { inputs: {} } });

    await expect(asked).rejects.toMatchObject({ problem: { code: 'plugin_failed', status: 502 } });
    expect((await callEndpoint(http, getPlugin, broken)).body).toMatchObject({
      status: 'ERROR',
      reason: 'execute: no idea',
    });
    const { logs, latest_seq: latest } = (await callEndpoint(http, pluginLogs, broken)).body;
    expect(logs.at(-1)).toMatchObject({ level: 'error', message: 'execute: no idea', seq: latest });
    const query = { after: String(latest) };
    expect((await callEndpoint(http, pluginLogs, { ...broken, query })).body.logs).toEqual([]);
    expect((await callEndpoint(http, activatePlugin, broken)).body.status).toBe('ACTIVE');
  });

  it('takes in a folder that comes later', async () => {
    const ready = await writePlugin(newRoot(), 'Late', {});
    cpSync(ready, join(folders.state, 'plugins', 'Late'), { recursive: true });
    const statusOf = async () => {
      const { body } = await callEndpoint(http, pluginEndpoints.listPlugins, {});
      return body.plugins.find(({ name }) => name === 'Late')?.status;
    };

    await expect.poll(statusOf, { timeout: 30_000 }).toBe('ACTIVE');
  });

  it('is steered from the command line', async () => {
    const to = ['--gateway', launcher.gateway, 'Mine'];

    const off = await runSpikegrid('plugins', 'deactivate', ...to);
    const on = await runSpikegrid('plugins', 'activate', ...to);

    expect([off.code, off.stdout]).toEqual([0, 'Mine is INACTIVE\n']);
    expect([on.code, on.stdout]).toEqual([0, 'Mine is ACTIVE\n']);
  });

  it('does not know other plugins', async () => {
    const asked = callEndpoint(http, pluginEndpoints.getPlugin, { params: { name: 'Nobody' } });

    await expect(asked).rejects.toMatchObject({ problem: { code: 'plugin_not_found' } });
  });
});

describe('a service of ours in Node', () => {
  const start = async (name: string, port = 0, connect = false) => {
    const host = new PluginHost({
      name,
      port,
      connect,
      gateway: launcher.gateway,
      headers: {},
      host: '127.0.0.1',
      auth: 'local',
      directories: [newRoot()],
    });
    await host.start();
    return host;
  };

  it('is behind the gateway once it is started, and gone once it is stopped', async () => {
    const host = await start('second-host');
    const { port } = host;

    expect(host.registrationFault).toBeUndefined();
    expect(await tagged()).toContain('second-host');
    const health = await fetch(`${launcher.gateway}/second-host/health`);
    expect(await health.json()).toMatchObject({
      status: 'ok',
      service: 'second-host',
      checks: { service: { status: 'ok' }, gateway: { status: 'ok' } },
    });
    await host.stop();
    expect(await tagged()).not.toContain('second-host');
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
  });

  it('is there as well where it listens on nothing and connects to the gateway', async () => {
    const host = await start('connected-host', 0, true);

    expect([host.port, host.registrationFault]).toEqual([0, undefined]);
    expect(await tagged()).toContain('connected-host');
    // It may find the gateway busy at first, and says so.
    await vi.waitFor(async () => {
      const health = await fetch(`${launcher.gateway}/connected-host/health`);
      expect(await health.json()).toMatchObject({
        status: 'ok',
        checks: { gateway: { status: 'ok' } },
      });
    }, 20_000);
    const listed = openHttp({ base: `${launcher.gateway}/connected-host`, headers: {} });
    expect(
      (await callEndpoint(listed, pluginEndpoints.listPlugins, {})).body.total,
    ).toBeGreaterThan(0);
    await host.stop();
    await vi.waitFor(async () => expect(await tagged()).not.toContain('connected-host'));
  });

  it('shows a browser that comes by a proxy how to come in', async () => {
    const host = await start('shown-host');
    const headers = { accept: 'text/html', via: '1.1 proxy' };

    const answer = await fetch(`http://127.0.0.1:${host.port}/plugins`, { headers });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toContain('sign in with a key');
    await host.stop();
  });

  it('leaves nothing behind where its port is taken', async () => {
    const first = await start('third-host');

    await expect(start('fourth-host', first.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await tagged()).not.toContain('fourth-host');
    await first.stop();
  });

  it('executes as many at a time as it has workers, each in its turn', async () => {
    const { createTurns } = await import('../../compute/plugin-host/plugin-host.ts');
    const turns = createTurns(2);
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const works = gates.map(({ promise }, i) =>
      turns(() => {
        begun.push(i);
        return promise;
      }),
    );

    expect(begun).toEqual([0, 1]);
    gates[1]!.reject(new Error('failed'));
    await expect(works[1]).rejects.toThrow('failed');
    expect(begun).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all([works[0], works[2], works[3]]);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('runs without a gateway, and says that it is not known there', async () => {
    const host = new PluginHost({
      name: 'alone',
      port: 0,
      gateway: 'http://127.0.0.1:1',
      headers: {},
      host: '127.0.0.1',
      auth: 'local',
      directories: [],
    });
    await host.start();

    const answer = await fetch(`http://127.0.0.1:${host.port}/health`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      checks: { gateway: { status: 'degraded' } },
    });
    await host.stop();
  });
});

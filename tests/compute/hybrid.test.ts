import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServiceRecord } from '../../edge/contract/service.ts';
import { JobRecord } from '../../edge/training/contract/job.ts';
import { InferResponse } from '../../edge/inference/contract/infer.ts';
import { type GuardedEdge, send, startGuardedEdge } from '../edge/keys-in-hand.ts';
import { listeningPorts } from './listening.ts';
import { hasNetNamespaces, type NetNamespace, openNetNamespace } from './net-namespace.ts';
import { ONE_THREAD, type Running, startSpikegrid, temporaryFolder } from './spikegrid-process.ts';
import { request as trainRequest } from './training-platform.ts';

const LONG = { timeout: 120_000, interval: 150 };
const WITHIN_MS = 5_000;

const sentences = 'the quick brown fox jumps over the lazy dog.\nshe sells sea shells.\n';

/** A gateway that asks everybody for credentials, and machines behind it that nobody can call. */
const isApart = hasNetNamespaces();
const { path: folder, remove } = temporaryFolder();
let edge: GuardedEdge;
let network: NetNamespace | undefined;
let gateway: URL;
const started: Running[] = [];

beforeAll(async () => {
  edge = await startGuardedEdge({ host: isApart ? '0.0.0.0' : '127.0.0.1' });
  network = isApart ? openNetNamespace() : undefined;
  gateway = new URL(edge.gateway);
  gateway.hostname = '127.0.0.1';
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/text.txt'), sentences.repeat(200));
});
afterAll(async () => {
  for (const { process: child } of started) child.kill('SIGKILL');
  network?.[Symbol.dispose]();
  await edge[Symbol.asyncDispose]();
  remove();
});

/** Starts a command with a key, where only its own connections lead out. */
function startApart(key: string, ...args: readonly string[]): Running {
  const address = `http://${network?.hostAddress ?? '127.0.0.1'}:${gateway.port}`;
  const wrapper = [...(network?.wrapper ?? []), 'env', `SPIKEGRID_KEY=${key}`];
  const running = startSpikegrid([...args, '--gateway', address], wrapper);
  started.push(running);
  return running;
}

const said = (running: Running, pattern: RegExp) =>
  vi.waitFor(() => expect(running.output()).toMatch(pattern), LONG);

const at = (path: string) => new URL(path, gateway);

async function serviceNamed(name: string, key: string): Promise<ServiceRecord> {
  const answer = await send(at(`/services/${name}`), { key });
  return ServiceRecord.parse(await answer.json());
}

const revoke = (id: string) => send(at(`/api/keys/${id}`), { key: edge.admin, method: 'DELETE' });

async function submit(key: string, config: object): Promise<string> {
  const json = {
    ...trainRequest,
    dataset_path: 'text.txt',
    config: { ...trainRequest.config, ...config },
  };
  const answer = await send(at('/training/train'), { key, method: 'POST', json });
  return JobRecord.parse(await answer.json()).job_id;
}

const jobWhere = (key: string, id: string, is: (job: JobRecord) => boolean) =>
  vi.waitFor(async () => {
    const answer = await send(at(`/training/jobs/${id}`), { key });
    const found = JobRecord.parse(await answer.json());
    expect(is(found), JSON.stringify(found)).toBe(true);
    return found;
  }, LONG);

const hold = (ms: number) => Date.now() + ms;

const where = isApart ? 'in a network of their own' : 'with no network namespace on this machine';

describe(`a gateway with services that listen on nothing behind it, ${where}`, () => {
  it('takes a job, has it trained, answers from the model, and both end with their key', async () => {
    const service = await edge.keyFor(['service:connect', 'registry:read', 'metrics:write']);
    const lent = await edge.keyFor(['train', 'registry:read', 'registry:write']);
    const user = await edge.keyFor(['train', 'infer', 'registry:read']);
    const inference = startApart(service.key, 'serve', '--connect', '--device', 'wasm');
    const trainer = startApart(
      lent.key,
      ...[
        'trainer',
        '--data',
        join(folder, 'data'),
        '--output',
        join(folder, 'out'),
        ...ONE_THREAD,
      ],
    );
    await Promise.all([said(inference, /\(connected\)/), said(trainer, /waiting for work/)]);

    // It stands in the list as any other instance does, and the probes find it well.
    const record = await vi.waitFor(async () => {
      const found = await serviceNamed('inference', user.key);
      expect(found.status).toBe('passing');
      return found;
    }, LONG);
    expect(record).toMatchObject({ origin: 'connected', version: '0.1.0' });
    expect(record.instances).toHaveLength(1);
    expect(record.instances[0]?.url).toMatch(/^connected:\/\/inference\//);

    const brief = { steps: 20, checkpoint_every: 10, validate_every: 20 };
    const job = await jobWhere(
      user.key,
      await submit(user.key, brief),
      ({ status }) => status === 'succeeded',
    );

    const question = { model_id: job.model?.model_id, inputs: { text: 'the quick ' } };
    const config = { max_length: 20, seed: 7 };
    const ask = (more: object) =>
      send(at('/inference/infer'), {
        key: user.key,
        method: 'POST',
        json: { ...question, config, ...more },
      });
    const whole = await ask({});
    expect(whole.status, inference.output()).toBe(200);
    const { outputs } = InferResponse.parse(await whole.json());
    const streamed = await ask({ stream: true });
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    const events = (await streamed.text()).split('\n\n');
    expect(events.filter((event) => event.startsWith('data: ')).length).toBeGreaterThan(5);
    expect(JSON.stringify(outputs).length).toBeGreaterThan(10);
    // Many at once over the one connection.
    const many = await Promise.all(Array.from({ length: 20 }, () => ask({})));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));

    for (const { process: child } of [inference, trainer]) {
      expect(listeningPorts(child.pid ?? 0)).toEqual([]);
    }

    // A job that would take long, so that the trainer is at work when its key goes.
    const endless = await submit(user.key, {
      ...{ steps: 1e6, checkpoint_every: 1e6, validate_every: 1e6 },
    });
    await jobWhere(user.key, endless, ({ progress }) => progress.step > 0);
    const stopped = async (running: Running, id: string) => {
      expect((await revoke(id)).status).toBe(200);
      const deadline = hold(WITHIN_MS);
      const { code, stderr } = await running.ended;
      expect(Date.now(), stderr).toBeLessThan(deadline);
      expect(code, stderr).toBe(1);
      return stderr;
    };
    const [whyInference, whyTrainer] = await Promise.all([
      stopped(inference, service.key_id),
      stopped(trainer, lent.key_id),
    ]);
    expect(whyInference).toMatch(/the key of this service was revoked or has expired/);
    expect(whyTrainer).toMatch(/is kept in unsent\/\S+ of its output/);
    expect(whyTrainer).toMatch(/credentials were revoked|API key was revoked/);
    expect(readdirSync(join(folder, 'out/unsent'))).toHaveLength(1);
    const gone = await send(at('/services/inference'), { key: user.key });
    expect(gone.status).toBe(404);
  }, 240_000);

  it('takes training servers, plugin hosts and test hosts as well, under names of one’s own', async () => {
    const user = await edge.keyFor(['train', 'infer']);
    const scopes = ['service:connect', 'train', 'registry:read', 'registry:write'] as const;
    const service = await edge.keyFor([...scopes, 'metrics:write']);
    const out = ['--data', join(folder, 'data'), '--output', join(folder, 'server'), ...ONE_THREAD];
    const services: readonly (readonly [name: string, running: Running])[] = [
      ['lm-training-server', startApart(service.key, 'training-server', '--connect', ...out)],
      ['mine', startApart(service.key, 'plugin-host', '--connect', '--name', 'mine')],
      [
        'test-host',
        startApart(service.key, 'test-host', '--connect', '--runs', join(folder, 'runs')),
      ],
    ];
    const lent = await edge.keyFor(['train', 'registry:read', 'registry:write']);
    const idle = startApart(
      lent.key,
      ...[
        'trainer',
        '--data',
        join(folder, 'data'),
        '--output',
        join(folder, 'idle'),
        ...ONE_THREAD,
      ],
    );
    await said(idle, /waiting for work/);
    await Promise.all(services.map(([, running]) => said(running, /\(connected\)/)));
    for (const [name, { process: child }] of services) {
      const health = await send(at(`/${name}/health`), { key: user.key });
      expect(health.status, await health.text()).toBe(200);
      expect(listeningPorts(child.pid ?? 0)).toEqual([]);
    }
    const jobs = await send(at('/lm-training-server/jobs'), { key: user.key });
    expect(jobs.status, await jobs.text()).toBe(200);

    const revoked = [await revoke(service.key_id), await revoke(lent.key_id)];
    expect(revoked.map(({ status }) => status)).toEqual([200, 200]);

    const deadline = hold(WITHIN_MS);
    for (const { ended } of [...services.map(([, running]) => running), idle]) {
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(1);
    }
    expect(Date.now()).toBeLessThan(deadline);
  }, 120_000);
});

import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { forkModule } from '../../compute/process/fork-module.ts';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';

const folders = { ...makeFolders(), trainer: true, inference: true, plugins: true } as const;

/** Planted wherever a secret may come in; nothing that is written or answered may hold one. */
const secrets = {
  redis: 'planted-redis-password',
  broker: 'planted-broker-password',
  deployment: 'planted-bootstrap-setting',
  foreignKey: formatApiKey(createApiKey()),
  unknownKey: formatApiKey(createApiKey()),
  cookie: 'planted-cookie-value',
  basic: 'planted-basic-credentials',
  ticket: 'planted-ticket-value',
  token: `eyJhbGciOiJFZERTQSJ9.${btoa('{"sub":"planted"}')}.planted-signature`,
};
let launcher: Launcher;
let first: string;
beforeAll(async () => {
  // A Redis that is away, so that what is said of it is seen, too.
  vi.stubEnv('DISTRIBUTED_WS_REDIS', `redis://spikegrid:${secrets.redis}@127.0.0.1:9`);
  vi.stubEnv('MQTT_PASSWORD', secrets.broker);
  vi.stubEnv('BOOTSTRAP_KEY', secrets.deployment);
  vi.stubEnv('SPIKEGRID_KEY', secrets.foreignKey);
  launcher = await startLauncher(folders, ['--auth', 'required']);
  vi.unstubAllEnvs();
  first = readFileSync(join(folders.state, 'bootstrap-key'), 'utf8').trim();
}, 60_000);
afterAll(() => {
  killLaunchers();
  rmSync(join(folders.state, '..'), { recursive: true });
});

const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(new URL(path, launcher.gateway), { ...init, headers });
const json = { 'content-type': 'application/json' };
const asAdmin = () => ({ authorization: `Bearer ${first}` });

/** The responses to each of the secrets, refused or granted. */
async function presentAll(): Promise<string[]> {
  const { cookie, basic, ticket, token, unknownKey } = secrets;
  const answers = await Promise.all([
    ask('/services', { authorization: `Bearer ${unknownKey}` }),
    ask('/inference/models', { authorization: `Bearer ${unknownKey}` }),
    ask('/services', { authorization: `Bearer ${token}` }),
    ask('/services', { authorization: `Basic ${basic}` }),
    ask('/services', { cookie: `spikegrid-session=${cookie}.${cookie}` }),
    ask(`/ws/distributed_brain/logs?ticket=${ticket}`, {}),
    ask('/api/session', json, { method: 'POST', body: JSON.stringify({ key: unknownKey }) }),
    ask('/training/train', { ...json, ...asAdmin() }, { method: 'POST', body: '{"model_type":1}' }),
    ask('/health', asAdmin()),
  ]);
  return Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
}

/** Everything the platform reports about itself to an administrator. */
async function readAll(): Promise<string[]> {
  const paths = [
    '/api/audit?limit=200',
    '/distributed_brain/logs?limit=200',
    '/metrics',
    '/monitoring/dashboard',
    '/services',
  ];
  return Promise.all(paths.map(async (path) => (await ask(path, asAdmin())).text()));
}

/** The arguments and the environment of everything that the launcher has started. */
function processes(): string[] {
  const started = launcher.alive().map((line) => line.split(' ')[0]!);
  const children = started.filter((pid) => Number(pid) !== launcher.process.pid);
  expect(children.length).toBeGreaterThanOrEqual(4);
  return [
    readFileSync(`/proc/${launcher.process.pid}/cmdline`, 'latin1'),
    ...children.flatMap((pid) =>
      ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1')),
    ),
  ];
}

it('shows no secret in answers, logs, metrics, traces, the audit, its output or its processes', async () => {
  const made = await ask(
    '/api/keys',
    { ...json, ...asAdmin() },
    { method: 'POST', body: JSON.stringify({ name: 'planted', scopes: ['infer'] }) },
  );
  const { key: madeKey } = (await made.json()) as { key: string };
  const answers = await presentAll();
  const traces = answers.flatMap((text) => /"trace_id":"(\w{32})"/.exec(text)?.[1] ?? []);
  expect(traces.length).toBeGreaterThan(4);
  const spans = await Promise.all(
    traces.map(async (id) => (await ask(`/v1/traces/${id}`, asAdmin())).text()),
  );
  const shown = [...answers, ...(await readAll()), ...spans, launcher.output(), ...processes()];

  const wanted = { ...secrets, first, madeKey };
  const leaks = Object.entries(wanted).flatMap(([name, secret]) =>
    shown
      .filter((text) => text.includes(secret.replace(/^sg_\w{12}_/, '')))
      .map((text) => [name, text]),
  );

  expect(leaks).toEqual([]);
  expect(answers.filter((text) => text.startsWith('401'))).toHaveLength(7);
});

it('keeps what it stores for its user alone', () => {
  const files = readdirSync(folders.state, { recursive: true, encoding: 'utf8' });
  const open = files.filter((path) => (statSync(join(folders.state, path)).mode & 0o077) !== 0);

  expect(open).toEqual([]);
});

it('hands no secret on to the processes of jobs', async () => {
  const module = join(folders.state, 'names.mjs');
  writeFileSync(module, 'process.send(Object.keys(process.env)); process.disconnect();');
  vi.stubEnv('SPIKEGRID_KEY', first);

  const child = forkModule(pathToFileURL(module), {}, 'ignore');
  vi.unstubAllEnvs();
  const [names] = (await once(child, 'message')) as [string[]];

  expect(names).toContain('PATH');
  expect(names).not.toContain('SPIKEGRID_KEY');
});

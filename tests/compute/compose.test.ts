import { execFile, spawn } from 'node:child_process';
import { once as firstOf } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { loadProgram } from '../../compute/cli/program.ts';
import { readOptions } from '../../compute/launcher/options.ts';
import { killLaunchers, makeFolders, startLauncher } from './launcher-process.ts';
import { startSpikegrid } from './spikegrid-process.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.literal('.'),
      command: z.array(z.string()),
      environment: z.optional(z.record(z.string(), z.nullable(z.string()))),
      read_only: z.boolean(),
      cap_drop: z.array(z.string()),
      security_opt: z.array(z.string()),
      tmpfs: z.array(z.string()),
      healthcheck: z.optional(z.object({ test: z.array(z.string()) })),
    }),
  ),
});
const compose = parse(readFileSync(fromRoot('compose.yaml'), 'utf8'), { merge: true });
const { services } = z.parse(Compose, compose);
const PARTS = ['inference', 'trainer', 'plugin-host', 'node'] as const;
/** The arguments after `node tools/run.mjs`. */
const argsOf = (name: string): readonly string[] => services[name]?.command.slice(2) ?? [];

/** The command of a part, with what its options say. */
async function commandOf(args: readonly string[]) {
  const [, name = '', ...flags] = args;
  const command = (await loadProgram(name)).commands.find((one) => one.name() === name)!;
  const { unknown, operands } = command.parseOptions([...flags]);
  if (unknown.length > 0 || operands.length > 0)
    throw new Error(`${name} has no ${unknown.join()} ${operands.join()}`);
  return command;
}

/** @throws where what follows `node tools/run.mjs` has an option that is none */
async function optionsAreKnown(args: readonly string[]): Promise<void> {
  if (args[0] === 'start') readOptions(args.slice(1), {}, '/opt');
  else await commandOf(args);
}

describe('the containers', () => {
  it.each(Object.keys(services))(
    '%s writes nothing but its volumes, and is nobody special',
    (name) => {
      const { read_only, cap_drop, security_opt, tmpfs, healthcheck } = services[name]!;

      expect({ read_only, cap_drop, security_opt, tmpfs }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp'],
      });
      expect(healthcheck?.test.slice(0, 3) ?? []).toEqual(
        name === 'keys' ? [] : ['CMD', 'node', 'deploy/healthy.mjs'],
      );
      expect(readFileSync(fromRoot('Dockerfile'), 'utf8')).toContain('\nUSER node\n');
    },
  );

  it('start the gateway with options that it has', () => {
    const [start, ...options] = argsOf('gateway');
    const { environment = {} } = services['gateway'] ?? {};
    const env = Object.fromEntries(
      Object.entries(environment).map(([k, v]) => [k, v ?? undefined]),
    );

    expect(start).toBe('start');
    expect(readOptions(options, env, '/app')).toMatchObject({
      host: '0.0.0.0',
      auth: 'required',
      portBase: 8000,
      stateDir: '/state',
      browser: 'leave',
      upstreams: { inference: 'http://127.0.0.1:8002' },
      trainer: 'leave',
    });
  });

  it.each(PARTS)('start %s with options and variables that it has', async (name) => {
    const command = await commandOf(argsOf(name));
    const read = command.options.flatMap(({ envVar }) => (envVar === undefined ? [] : [envVar]));

    // A broker of others is asked for by hand, and a run of tests has no container.
    const passed = Object.keys(services[name]!.environment ?? {});
    expect(passed).toEqual(expect.arrayContaining(read.filter((one) => !one.startsWith('MQTT_'))));
  });
});

describe('the units of systemd', () => {
  const units = readdirSync(fromRoot('deploy/systemd'));
  const textOf = (unit: string) => readFileSync(fromRoot(`deploy/systemd/${unit}`), 'utf8');

  it('are one for each part', () => {
    expect(units.map((name) => name.replace(/^spikegrid-|\.service$/g, '')).toSorted()).toEqual(
      ['gateway', ...PARTS].toSorted(),
    );
  });

  it.each(units)('%s is hardened, and starts what there is', async (unit) => {
    const text = textOf(unit);
    for (const line of [
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'CapabilityBoundingSet=',
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
    const [, line = ''] = /^ExecStart=\S+ tools\/run\.mjs (.*)$/m.exec(text) ?? [];
    const args = line.replaceAll('%S', '/var/lib').split(' ');
    await optionsAreKnown(args);
  });
});

describe('parts with keys of their own beside a platform', () => {
  const folders = makeFolders();
  const keyOf = (part: string) => join(folders.state, 'keys', part, 'key');
  let gateway: string;
  beforeAll(async () => {
    ({ gateway } = await startLauncher(folders, ['--auth', 'required']));
    const first = join(folders.state, 'bootstrap-key');
    const keys = join(folders.state, 'keys');
    const { stdout } = await run('make-keys', [gateway, first, keys]);
    expect(stdout).toContain('trainer/key: train, registry:read, registry:write');
    // Existing keys stay.
    expect((await run('make-keys', [gateway, first, keys])).stdout).toBe('');
  });
  afterAll(() => {
    killLaunchers();
    vi.unstubAllEnvs();
  });

  const run = (script: string, args: readonly string[], part = 'none') =>
    promisify(execFile)(process.execPath, [fromRoot(`deploy/${script}.mjs`), ...args], {
      env: { ...process.env, SPIKEGRID_KEY_FILE: part === 'none' ? '' : keyOf(part) },
    });

  it.each([
    ['node', ['node', 'pfc-1']],
    ['trainer', ['trainer', hostname()]],
  ] as const)('are well once the gateway sees them: %s', async (part, [kind, id]) => {
    const places: Record<string, string> = {
      'http://gateway:8000': gateway,
      '/data': folders.dashboard,
      '/state': join(folders.state, 'results'),
    };
    const asked = kind === 'node' ? [kind, gateway, id] : [kind, gateway];
    expect(services[part]!.healthcheck!.test.slice(3, 4)).toEqual([kind]);
    await expect(run('healthy', asked, part)).rejects.toThrow(id);
    expect(statSync(keyOf(part)).mode & 0o777).toBe(0o400);

    vi.stubEnv('SPIKEGRID_KEY_FILE', keyOf(part));
    const child = startSpikegrid(
      argsOf(part)
        .slice(1)
        .map((arg) => places[arg] ?? arg),
    );
    await vi.waitFor(() => run('healthy', asked, part), { timeout: 20_000, interval: 200 });
    child.process.kill('SIGTERM');

    expect((await child.ended).code).toBe(0);
  });

  it('add a service that the gateway forwards to, for who has a key', async () => {
    const { command = [], environment } = services['greeting'] ?? {};
    const [node, file = ''] = command;
    expect([node, existsSync(fromRoot(file))]).toEqual(['node', true]);
    // Only the address of the platform and the path of the key differ from compose.yaml.
    const place = { GATEWAY: gateway, SERVICE_PORT: '0', KEY_FILE: keyOf('greeting') };
    expect(Object.keys(place)).toEqual(Object.keys(environment ?? {}));
    const child = spawn(process.execPath, [fromRoot(file)], {
      env: { ...process.env, ...place },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await firstOf(child.stderr, 'data');
      const hello = (headers: Record<string, string>) =>
        fetch(new URL('/greeting/hello?name=Ada', gateway), { headers });

      const key = readFileSync(keyOf('greeting'), 'utf8').trim();
      const answer = await hello({ authorization: `Bearer ${key}` });
      expect([answer.status, await answer.json()]).toEqual([200, { greeting: 'Hello Ada.' }]);
      expect((await hello({})).status).toBe(401);
    } finally {
      child.kill();
      await firstOf(child, 'exit');
    }
  });

  it('believe no header that a proxy on the same machine lets through', async () => {
    // As nginx does without proxy_set_header Host: the name that the platform reads is its own.
    const { host, hostname: address, port } = new URL(gateway);
    const proxy = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const onward = request({ host: address, port, method, path, headers: { ...headers, host } });
      onward.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    }).listen(0, '127.0.0.1');
    await firstOf(proxy, 'listening');
    const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const ask = async (headers: Record<string, string>, path = '/api/keys') =>
      (await fetch(new URL(path, through), { headers })).status;
    const key = readFileSync(join(folders.state, 'bootstrap-key'), 'utf8').trim();

    const forged = [
      {},
      { 'x-spikegrid-caller': 'local', 'x-spikegrid-scopes': 'admin' },
      { 'x-spikegrid-identity': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJsb2NhbCJ9.' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': '127.0.0.1' },
      { 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    ];
    const statuses = await Promise.all(forged.map((headers) => ask(headers)));
    const granted = await ask({ authorization: `Bearer ${key}` });
    const health = await ask({}, '/health');
    proxy.close();

    expect(statuses).toEqual(forged.map(() => 401));
    expect([granted, health]).toEqual([200, 200]);
  });
});

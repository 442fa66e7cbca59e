import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashSecret, parseApiKey } from '../../edge/access/contract/api-key.ts';
import {
  freePortBase,
  killLaunchers,
  type Launcher,
  makeFolders,
  spawnLauncher,
  startLauncher,
} from './launcher-process.ts';
import { refusalOf, runSpikegrid } from './spikegrid-process.ts';

const folders = { ...makeFolders(), plugins: true } as const;
const path = `${folders.state}/bootstrap-key`;
let launcher: Launcher;
let admin: string;
beforeAll(async () => {
  launcher = await startLauncher(folders, ['--auth', 'required']);
  admin = readFileSync(path, 'utf8').trim();
});
afterAll(() => {
  killLaunchers();
  vi.unstubAllEnvs();
});

const keys = (...args: string[]) => runSpikegrid('keys', ...args);
const atGateway = (key = admin) => ['--gateway', launcher.gateway, '--key', key];
const statusWith = async (key?: string) =>
  (
    await fetch(
      `${launcher.gateway}/registry/models`,
      key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
    )
  ).status;

/** The environment a process was started with; empty if it has ended. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

describe('a platform that requires credentials', () => {
  it('makes its first key once, for its owner’s eyes only, and says where it is', async () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(launcher.output()).toContain(path);
    expect(launcher.output()).not.toContain(admin);
    expect([await statusWith(), await statusWith(admin)]).toEqual([401, 200]);

    // The platform's own processes know where the key is; none holds it where others may look.
    const open = readdirSync(folders.state, { recursive: true, encoding: 'utf8' }).filter(
      (name) => (statSync(join(folders.state, name)).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const told = processes.filter((pid) => environmentOf(pid).includes(admin));
    expect(told).toEqual([]);
    expect(processes.some((pid) => environmentOf(pid).includes(path))).toBe(true);

    launcher.process.kill('SIGTERM');
    await launcher.ended();
    launcher = await startLauncher(folders, ['--auth', 'required']);

    expect(readFileSync(path, 'utf8').trim()).toBe(admin);
    expect(await statusWith(admin)).toBe(200);
  });

  it.each([
    ['serve', 'inference', 'registry:read,metrics:write'],
    ['plugin-host', 'plugin-host', 'admin'],
  ])('has no service beside it without a key: %s', async (command, name, scopes) => {
    const place = ['--gateway', launcher.gateway, '--host', '127.0.0.1', '--port', '0'];
    const more = command === 'serve' ? [] : ['--plugins', join(folders.state, 'plugins')];

    const refused = await runSpikegrid(command, ...place, ...more);

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `"npm run -s spikegrid -- keys create --name ${name} --scopes ${scopes} --gateway ${launcher.gateway}"`,
    );
  });

  it('does not start with a first key that is none', async () => {
    const broken = makeFolders();
    mkdirSync(broken.state);
    writeFileSync(`${broken.state}/bootstrap-key`, 'no key\n');

    const again = spawnLauncher(
      ['--auth', 'required', '--state', broken.state, '--dashboard', broken.dashboard],
      await freePortBase(),
    );

    expect(await again.ended()).toBe(1);
    expect(again.output()).toContain(`${broken.state}/bootstrap-key holds no API key`);
  });
});

describe('spikegrid keys', () => {
  it('makes a key that is good for its scopes, lists and revokes it', async () => {
    const made = await keys(
      ...['create', '--name', 'CI', '--scopes', 'registry:read,infer', '--expires', '30d'],
      ...atGateway(),
    );
    expect(made.code, made.stderr).toBe(0);
    const key = made.stdout.trim();
    const { id = '' } = parseApiKey(key) ?? {};
    expect(await statusWith(key)).toBe(200);

    const listed = await keys('list', '--json', ...atGateway());
    const records = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const record = records.find(({ key_id }) => key_id === id);
    expect(record).toMatchObject({
      name: 'CI',
      status: 'active',
      scopes: ['registry:read', 'infer'],
    });
    const days = (Date.parse(record.expires_at) - Date.parse(record.created_at)) / 86_400_000;
    expect(days).toBe(30);
    expect(listed.stdout + launcher.output()).not.toContain(key);

    const revoked = await keys('revoke', id, ...atGateway());
    expect(revoked.code, revoked.stderr).toBe(0);
    expect(await statusWith(key)).toBe(401);
    expect((await keys('list', ...atGateway())).stdout).toMatch(new RegExp(`${id}  revoked  CI`));
  });

  it('makes no key with test:run but for who has that himself', async () => {
    const create = (scopes: string, key: string) =>
      keys('create', '--name', 'x', '--scopes', scopes, ...atGateway(key));
    const other = await create('admin', admin);
    const refused = await create('test:run', other.stdout.trim());
    const first = await create('test:run', admin);

    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('a key gets test:run from who has that himself');
    expect(first.code, first.stderr).toBe(0);
  });

  it('is not needed by commands that find a key in SPIKEGRID_KEY', async () => {
    const generate = () =>
      runSpikegrid('generate', '--gateway', launcher.gateway, '--model', 'ahab');
    vi.stubEnv('SPIKEGRID_KEY', admin);
    const withKey = await generate();
    vi.stubEnv('SPIKEGRID_KEY', '');
    const without = await generate();

    expect(withKey.stderr).toContain('There is no model ahab');
    expect(without.stderr).toContain('Credentials are missing or not valid');
  });

  it('makes the first key of a deployment without asking anybody', async () => {
    const { code, stdout, stderr } = await keys('bootstrap');

    expect(code, stderr).toBe(0);
    const key = parseApiKey(stdout.trim());
    expect(stderr).toContain(`${key?.id}:${await hashSecret(key?.secret ?? '')}`);
    expect(stderr).not.toContain(key?.secret);
  });

  it.each([
    [
      ['create', '--name', 'x', '--scopes', 'everything'],
      'got "everything", expected some of infer,',
    ],
    [
      ['create', '--name', 'x', '--scopes', 'infer', '--expires', '30'],
      'got "30", expected a number',
    ],
    [['create', '--scopes', 'infer'], "required option '--name <name>' not specified"],
    [['list', '--gateway', 'nowhere'], 'got "nowhere", expected an address'],
  ])('refuses %j', async (args, message) => {
    const { stderr } = await refusalOf('keys', ...args);

    expect(stderr).toContain(message);
  });

  it.each([
    [['list'], '', 'Credentials are missing or not valid'],
    [['list'], 'sg_wrong', 'expected sg_<id>_<secret>'],
    [['revoke', 'unknown'], undefined, 'There is no key with the id unknown'],
  ])('%j with the key %j says why it cannot', async (args, key, message) => {
    const { stderr } = await refusalOf('keys', ...args, ...atGateway(key));

    expect(stderr).toContain(message);
    expect(stderr).not.toContain(' at ');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildDashboard } from '../../compute/launcher/dashboard-build.ts';
import { cachedBuild } from '../../compute/launcher/cached-build.ts';
import { OperatorError } from '../../compute/process/operator-error.ts';
import { readOptions } from '../../compute/launcher/options.ts';

const ROOT = '/checkout';

describe('the options of npm start', () => {
  it('have defaults for a machine of one’s own', () => {
    expect(readOptions([], {}, ROOT)).toEqual({
      kind: 'launch',
      host: '127.0.0.1',
      auth: 'local',
      portBase: 8000,
      stateDir: '/checkout/.spikegrid',
      browser: 'open',
      dashboardDir: undefined,
      trainer: 'start',
      inference: 'start',
      plugins: 'start',
      grants: [],
      tests: 'leave',
      logs: {},
      upstreams: {},
    });
  });

  it('take services that run elsewhere from UPSTREAMS', () => {
    const upstreams = { inference: 'http://127.0.0.1:8002' };

    expect(readOptions([], { UPSTREAMS: JSON.stringify(upstreams) }, ROOT)).toMatchObject({
      upstreams,
    });
    for (const text of ['inference', '[]', '{"inference":"ftp://a"}', '{"inference":1}']) {
      expect(() => readOptions([], { UPSTREAMS: text }, ROOT)).toThrow(
        `UPSTREAMS is "${text}", expected JSON such as {"name":"http://host:port"}`,
      );
    }
  });

  it('take settings of the log stream from the environment', () => {
    const logs = { DISTRIBUTED_WS_REDIS: 'redis://r' };
    const env = { ...logs, DISTRIBUTED_WS_REDIS_QUEUE: '50', DISTRIBUTED_WS_SEND_TIMEOUT: '2.5' };

    expect(readOptions([], env, ROOT)).toMatchObject({
      logs: { ...logs, DISTRIBUTED_WS_REDIS_QUEUE: 50, DISTRIBUTED_WS_SEND_TIMEOUT: 2.5 },
    });
    expect(() => readOptions([], { DISTRIBUTED_WS_REDIS_QUEUE: '0' }, ROOT)).toThrow(
      'DISTRIBUTED_WS_REDIS_QUEUE is "0", expected a whole number from 1 to 10000',
    );
    expect(() => readOptions([], { DISTRIBUTED_WS_SEND_TIMEOUT: 'soon' }, ROOT)).toThrow(
      'DISTRIBUTED_WS_SEND_TIMEOUT is "soon", expected seconds above 0 and up to 3600',
    );
  });

  it.each([
    [{ ENABLE_TEST_ENDPOINT: '1' }, 'start'],
    [{ ENABLE_TEST_ENDPOINT: 'true' }, 'leave'],
    [{ ENABLE_TEST_ENDPOINT: '0' }, 'leave'],
  ])('with %j, %s the host of tests', (env, tests) => {
    expect(readOptions([], env, ROOT)).toMatchObject({ tests });
  });

  it('may all be given', () => {
    const place = ['--port-base', '9000', '--state=/var/s', '--dashboard', '/d'];
    const argv = [...place, '--no-open', '--grant', 'A=network', '--grant', 'B=network'];

    expect(readOptions(argv, { SERVICE_HOST: '0.0.0.0' }, ROOT)).toMatchObject({
      host: '0.0.0.0',
      auth: 'required',
      portBase: 9000,
      stateDir: '/var/s',
      browser: 'leave',
      dashboardDir: '/d',
      grants: ['A=network', 'B=network'],
    });
  });

  it('take SERVICE_PORT for the gateway, where no flag says another', () => {
    const env = { SERVICE_PORT: '9100' };

    expect(readOptions([], env, ROOT)).toMatchObject({ portBase: 9100 });
    expect(readOptions(['--port-base', '9000'], env, ROOT)).toMatchObject({ portBase: 9000 });
    expect(() => readOptions([], { SERVICE_PORT: '70000' }, ROOT)).toThrow(
      'SERVICE_PORT is "70000", expected a whole number from 1 to 65529',
    );
  });

  it.each([
    ['127.0.0.1', 'local'],
    ['localhost', 'local'],
    ['::1', 'local'],
    ['0.0.0.0', 'required'],
    ['192.168.0.7', 'required'],
    ['localhost.example', 'required'],
  ])('ask for credentials unless only this machine can reach it (%s: %s)', (host, auth) => {
    expect(readOptions(['--host', host], {}, ROOT)).toMatchObject({ host, auth });
    expect(readOptions(['--host', host, '--auth', 'required'], {}, ROOT)).toMatchObject({
      auth: 'required',
    });
  });

  it.each([['--help'], ['-h'], ['--port-base', '9000', '--help']])(
    'show help for %s %s %s',
    (...argv) => {
      expect(readOptions(argv, {}, ROOT)).toEqual({ kind: 'help' });
    },
  );

  it.each([
    [['--port-base', '0'], '--port-base is "0", expected a whole number from 1 to 65529'],
    [['--port-base', '65530'], '--port-base is "65530", expected a whole number from 1 to 65529'],
    [['--port-base', '80a'], '--port-base is "80a", expected a whole number from 1 to 65529'],
    [['--port-base', '1e3'], '--port-base is "1e3", expected a whole number from 1 to 65529'],
    [['--port-base'], "Option '--port-base <value>' argument missing; --help lists the options"],
    [['--state', ''], '--state is empty, expected a folder'],
    [['--host', ''], '--host is empty, expected an address'],
    [['--grant', 'Mine'], '--grant is "Mine", expected NAME=network'],
    [['--auth', 'off'], '--auth is "off", expected "local" or "required"'],
    [
      ['--auth', 'local', '--host', '0.0.0.0'],
      '--auth is "local", but other machines can reach 0.0.0.0; expected --auth required, or --host 127.0.0.1',
    ],
    [['--prot-base', '1'], "Unknown option '--prot-base'; --help lists the options"],
    [['start'], "Unexpected argument 'start'; --help lists the options"],
  ])('%j are refused', (argv, message) => {
    expect(() => readOptions(argv, {}, ROOT)).toThrow(new OperatorError(message));
  });
});

describe('a second signal', () => {
  it('ends a process whose stopping does not end', async () => {
    const signals = fileURLToPath(new URL('../../compute/launcher/signals.ts', import.meta.url));
    const script = `
      import { stopOnSignal } from ${JSON.stringify(signals)};
      stopOnSignal(() => new Promise(() => console.log('stopping')), { isExpected() {} });
      setInterval(() => {}, 1000);
      console.log('ready');
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
    const exited = once(child, 'exit');
    const prints = async (line: string) =>
      expect(String((await once(child.stdout, 'data'))[0]).trim()).toBe(line);

    await prints('ready');
    child.kill('SIGINT');
    await prints('stopping');
    expect(child.exitCode).toBeNull();
    // A signal right afterwards counts as the same Ctrl-C, which several processes pass on.
    await vi.waitUntil(() => child.exitCode !== null || !child.kill('SIGINT'), { interval: 50 });

    expect((await exited)[0]).toBe(130);
  });
});

describe('the build of the dashboard', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'spikegrid-build-'));
    mkdirSync(join(root, 'web'));
    write(
      'vite.config.ts',
      "export default { build: { outDir: '../dist/web', emptyOutDir: true } };",
    );
    write('package.json', '{ "type": "module" }');
    write('web/index.html', '<!doctype html><script type="module" src="/main.ts"></script>');
    write('web/main.ts', 'document.title = "one";');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const built = () => {
    const assets = join(root, 'dist/web/assets');
    return readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'))[0];
  };

  it('happens when its sources have changed, and only then', async () => {
    expect(await buildDashboard(root)).toBe('built');
    expect(built()).toContain('one');
    expect(await buildDashboard(root)).toBe('unchanged');

    write('web/main.ts', 'document.title = "two";');

    expect(await buildDashboard(root)).toBe('built');
    expect(built()).toContain('two');

    rmSync(join(root, 'dist/web'), { recursive: true });
    expect(await buildDashboard(root)).toBe('built');
  });

  it('has the guide as a folder, where one was built', async () => {
    mkdirSync(join(root, 'dist/guide'), { recursive: true });
    write('dist/guide/index.html', 'the guide');

    await buildDashboard(root);

    expect(readFileSync(join(root, 'dist/web/guide/index.html'), 'utf8')).toBe('the guide');
  });

  it('that fails says why, and is tried again the next time', async () => {
    write('web/main.ts', 'import "./missing.ts";');
    await expect(buildDashboard(root)).rejects.toThrow(
      /the dashboard does not build: .*missing\.ts/s,
    );

    write('web/main.ts', 'document.title = "one";');

    expect(await buildDashboard(root)).toBe('built');
  });

  it('needs a dashboard', async () => {
    rmSync(join(root, 'web'), { recursive: true });

    await expect(buildDashboard(root)).rejects.toThrow('web/index.html is missing');
  });
});

describe('a cached build', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spikegrid-kept-'));
    writeFileSync(join(folder, 'input'), 'one');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const build = (key = 'tool 1') => {
    const input = join(folder, 'input');
    let isMade = false;
    const make = async () => {
      isMade = true;
      return { value: { made: readFileSync(input, 'utf8'), left: undefined }, inputs: [input] };
    };
    const kept = cachedBuild({ path: join(folder, 'dist/kept.json'), key, make });
    return kept.then((value) => [value, isMade ? 'made' : 'kept']);
  };

  it('is built once for unchanged inputs, and is identical each time', async () => {
    expect(await build()).toEqual([{ made: 'one' }, 'made']);
    expect(await build()).toEqual([{ made: 'one' }, 'kept']);
  });

  it('is made anew where an input, or what makes it, has changed', async () => {
    await build();
    writeFileSync(join(folder, 'input'), 'two');

    expect(await build()).toEqual([{ made: 'two' }, 'made']);
    expect(await build('tool 2')).toEqual([{ made: 'two' }, 'made']);
    expect(await build('tool 2')).toEqual([{ made: 'two' }, 'kept']);
  });

  it('is built again where the cached one cannot be read', async () => {
    await build();
    writeFileSync(join(folder, 'dist/kept.json'), '{"key": "tool 1"');

    expect(await build()).toEqual([{ made: 'one' }, 'made']);
  });
});

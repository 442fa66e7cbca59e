import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/*
 * deploy/nginx.conf in front of a platform that asks everybody for a key. nginx is this machine's, or
 * Debian's as far as its packages can be had.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'spikegrid-proxy-'));
const NAME = 'spikegrid.example';
const BASE = 29_800;
const TLS_PORT = BASE + 43;

function findNginx(): string | undefined {
  if (spawnSync('nginx', ['-v']).status === 0) return 'nginx';
  spawnSync('apt-get', ['download', 'nginx'], { cwd: folder });
  for (const path of globSync('nginx_*.deb', { cwd: folder })) {
    spawnSync('dpkg', ['-x', path, folder], { cwd: folder });
  }
  const own = join(folder, 'usr/sbin/nginx');
  return existsSync(own) && spawnSync(own, ['-v']).status === 0 ? own : undefined;
}

const nginx = findNginx();
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly cookie: string;
}

/** Asks by the platform's public name, as a browser does. */
async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> {
  const at = {
    host: '127.0.0.1',
    port: TLS_PORT,
    path,
    servername: NAME,
    rejectUnauthorized: false,
  };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ ...at, method, headers: { host: NAME, ...headers } });
  sent.end(body);
  const upgraded = once(sent, 'upgrade').then(([answer, socket]) => {
    socket.destroy();
    return { status: answer.statusCode, body: '', cookie: '' };
  });
  const answered = once(sent, 'response').then(async ([answer]) => ({
    status: answer.statusCode,
    body: await text(answer),
    cookie: String(answer.headers['set-cookie'] ?? ''),
  }));
  return Promise.race([upgraded, answered]);
}

describe.skipIf(nginx === undefined || !hasOpenssl)(
  'behind nginx with TLS (needs nginx, openssl)',
  () => {
    let key: string;
    beforeAll(async () => {
      const state = join(folder, 'state');
      const alone = ['--no-trainer', '--no-inference', '--no-plugins', '--no-open'];
      const dashboard = join(folder, 'dashboard');
      mkdirSync(dashboard);
      writeFileSync(join(dashboard, 'index.html'), '<!doctype html><title>spikegrid</title>');
      const folders = ['--state', state, '--dashboard', dashboard];
      const place = ['--auth', 'required', '--port-base', `${BASE}`, ...folders];
      const main = join(root, 'dist/node/launcher.js');
      const platform = spawn(process.execPath, [main, ...place, ...alone], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      started.push(platform);
      for await (const chunk of platform.stdout) if (String(chunk).includes('Ctrl-C')) break;
      key = readFileSync(join(state, 'bootstrap-key'), 'utf8').trim();

      const [certificate, secret] = [join(folder, 'tls.pem'), join(folder, 'tls.key')];
      const subject = ['-subj', `/CN=${NAME}`, '-keyout', secret, '-out', certificate];
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject],
        {
          stdio: 'ignore',
        },
      );
      const site = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
        .replaceAll('/etc/ssl/certs/spikegrid.pem', certificate)
        .replaceAll('/etc/ssl/private/spikegrid.key', secret)
        .replaceAll('127.0.0.1:8000', `127.0.0.1:${BASE}`)
        .replaceAll(/listen \[::\].*\n/g, '')
        .replaceAll('listen 443', `listen 127.0.0.1:${TLS_PORT}`)
        .replaceAll('listen 80;', `listen 127.0.0.1:${TLS_PORT + 1};`);
      mkdirSync(join(folder, 'temporary'));
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`)
        .join('\n');
      const config = join(folder, 'nginx.conf');
      const head = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`;
      writeFileSync(config, `${head}\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`);
      const flags = ['-p', folder, '-c', config, '-e', join(folder, 'error.log')];
      const tested = spawnSync(nginx!, [...flags, '-t'], { encoding: 'utf8' });
      if (tested.status !== 0) throw new Error(tested.stderr);
      started.unshift(spawn(nginx!, flags, { stdio: 'inherit' }));
      await vi.waitFor(() => ask('/health'), { timeout: 10_000, interval: 50 });
    }, 60_000);

    it('nobody is from this machine, whatever they send', async () => {
      const forged = [
        {},
        { host: `127.0.0.1:${BASE}` },
        { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
        { 'x-spikegrid-caller': 'local', 'x-spikegrid-scopes': 'admin' },
      ];

      const statuses = await Promise.all(
        forged.map(async (headers) => (await ask('/api/keys', headers)).status),
      );

      expect(statuses).toEqual(forged.map(() => 401));
    });

    it('who has a key is let in, also a browser that signs in from the page', async () => {
      const bearer = await ask('/api/keys', { authorization: `Bearer ${key}` });
      const json = { 'content-type': 'application/json' };
      const signIn = (origin: string) =>
        ask('/api/session', { ...json, origin }, JSON.stringify({ key }));
      const own = await signIn(`https://${NAME}`);
      const foreign = await signIn('https://evil.example');
      const again = await ask('/api/session', { cookie: own.cookie.split(';')[0] ?? '' });

      expect([bearer.status, own.status, foreign.status]).toEqual([200, 201, 403]);
      expect(JSON.parse(again.body)).toMatchObject({ kind: 'session' });
      expect((await ask('/')).body).toContain('<title>');
    });

    it('sockets and bodies larger than nginx takes by itself pass', async () => {
      const ticket = await ask('/ws/tickets', { authorization: `Bearer ${key}` }, '');
      const { ticket: secret } = JSON.parse(ticket.body) as { ticket: string };
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-protocol': 'spikegrid.logs.v1',
      };
      const path = '/ws/distributed_brain/logs';

      const opened = await ask(`${path}?ticket=${secret}`, upgrade);
      const refused = await ask(path, upgrade);
      const large = await ask(
        '/v1/infer',
        { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        JSON.stringify({ model_id: 'none', prompt: 'x'.repeat(3_000_000) }),
      );

      expect([opened.status, refused.status]).toEqual([101, 401]);
      // The gateway's answer, not nginx's 413 of 1 MiB.
      expect(JSON.parse(large.body)).toMatchObject({ code: expect.any(String) });
    });
  },
);

import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy, type Deployment } from '../../compute/deploy/deploy.ts';
import { environmentOf } from '../../compute/deploy/environment.ts';
import { busyMs } from '../../compute/deploy/measure.ts';
import { openWrangler } from '../../compute/deploy/wrangler.ts';
import { firstKeyOf } from '../../edge/access/machine.ts';
import { hashSecret, parseApiKey } from '../../edge/access/contract/api-key.ts';
import { root as checkout } from '../edge/harness.ts';

interface Answer {
  readonly call: string;
  readonly code?: number;
  readonly out?: string;
  readonly err?: string;
}

const NO_WORKER: Answer = {
  call: 'secret list',
  code: 1,
  err: 'A request to the Cloudflare API failed. This Worker does not exist on your account. [code: 10007]',
};
const DEPLOYED: Answer = {
  call: 'deploy',
  out: 'Uploaded spikegrid\n  https://spikegrid.somebody.workers.dev\nCurrent Version ID: 1\n',
};
const BUCKET_THERE: Answer = {
  call: 'r2 bucket list',
  out: 'Listing buckets...\nname:           spikegrid-files\ncreation_date:  2026-11-20\n',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-deploying-'));
  cpSync(join(checkout, 'tests/compute/wrangler-stand-in.mjs'), join(folder, 'wrangler'));
  chmodSync(join(folder, 'wrangler'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const rawConfig = {
  name: 'spikegrid',
  main: 'edge/worker.ts',
  assets: { directory: './dist/web' },
  vars: { AUTH_MODE: 'required', BOOTSTRAP_KEY: '', UPSTREAMS: {}, TARGET_ALLOWLIST: ['*'] },
  r2_buckets: [{ binding: 'FILES', bucket_name: 'spikegrid-files' }],
  build: { command: 'npm run -s build' },
};

/** Deploys through the stand-in, which answers so; returns what it was called with and what was said. */
async function deployed(answers: readonly Answer[], options: Partial<Deployment> = {}) {
  const said: string[] = [];
  const asked: string[] = [];
  const calls = join(folder, 'calls');
  process.env['STAND_IN_CALLS'] = calls;
  process.env['STAND_IN_ANSWERS'] = JSON.stringify(answers);
  const outcome = await deploy({
    root: folder,
    environment: environmentOf(folder, rawConfig, undefined),
    wrangler: openWrangler(folder, join(folder, 'wrangler')),
    ask: async (question) => asked.push(question) > 0,
    say: (text) => said.push(text),
    secrets: {},
    ...options,
  }).then(
    () => 'deployed',
    (error: Error) => error.message,
  );
  const lines = readFileSync(calls, 'utf8').trim().split('\n');
  rmSync(calls);
  const made = lines.map((line) => JSON.parse(line) as { args: string[]; stdin: string });
  return {
    outcome,
    made,
    commands: made.map(({ args }) => args.join(' ')),
    said: said.join('\n'),
    asked,
  };
}

const keyPath = () => join(folder, '.spikegrid/deploy/spikegrid.key');

describe('a deployment', () => {
  it('makes bucket, Worker and first key, and says where both are', async () => {
    const { outcome, made, commands, said, asked } = await deployed([NO_WORKER, DEPLOYED]);

    expect(outcome).toBe('deployed');
    expect(commands).toEqual([
      'whoami --json',
      'r2 bucket list',
      'r2 bucket create spikegrid-files',
      'secret list --name spikegrid --format json',
      `deploy --config ${join(folder, 'dist/deploy/production.json')}`,
      'secret put BOOTSTRAP_KEY --name spikegrid',
    ]);
    expect(asked).toEqual([
      'Make the bucket spikegrid-files?',
      'Make the Worker spikegrid, and a first key to it?',
    ]);
    expect(said).toContain('deployed: https://spikegrid.somebody.workers.dev');
    expect(said).toContain(`the first key lies in ${keyPath()}`);
    const key = parseApiKey(readFileSync(keyPath(), 'utf8').trim())!;
    const setting = `${key.id}:${await hashSecret(key.secret)}`;
    expect(made.at(-1)?.stdin).toBe(setting);
    expect(firstKeyOf(setting, 0)).toMatchObject({ name: 'bootstrap' });
  });

  it('keeps the first key from others of this machine, from arguments and from the terminal', async () => {
    const { made, said } = await deployed([NO_WORKER, DEPLOYED]);

    const text = readFileSync(keyPath(), 'utf8').trim();
    expect(statSync(keyPath()).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(made) + said).not.toContain(text);
    expect(JSON.stringify(made.map(({ args }) => args))).not.toContain(parseApiKey(text)!.id);
  });

  it('creates nothing that exists, and prompts for nothing', async () => {
    const secrets = { call: 'secret list', out: '[{"name":"BOOTSTRAP_KEY","type":"secret_text"}]' };
    const { outcome, commands, asked, said } = await deployed([BUCKET_THERE, secrets, DEPLOYED]);

    expect([outcome, asked]).toEqual(['deployed', []]);
    expect(commands.join()).not.toMatch(/create|put/);
    expect(existsSync(keyPath())).toBe(false);
    expect(said).toContain('the first key exists already');
  });

  it('takes a bucket that somebody made meanwhile', async () => {
    const exists = {
      call: 'r2 bucket create',
      code: 1,
      err: 'The bucket already exists [code: 10004]',
    };

    expect((await deployed([exists, NO_WORKER, DEPLOYED])).outcome).toBe('deployed');
  });

  it('says what to do where nobody is signed in, and does nothing else', async () => {
    const out = {
      call: 'whoami',
      code: 1,
      err: 'You are not authenticated. Please run `wrangler login`.',
    };
    const { outcome, commands } = await deployed([out]);

    expect(outcome).toBe(
      'not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN',
    );
    expect(commands).toEqual(['whoami --json']);
  });

  it('does not write over a Worker of that name that is something else', async () => {
    const { outcome, commands } = await deployed([
      BUCKET_THERE,
      { call: 'secret list', out: '[]' },
    ]);

    expect(outcome).toMatch(/^the name spikegrid is taken: .* deploy with another --name/);
    expect(commands.join()).not.toContain('deploy');
  });

  it('ends where what is missing is not to be made', async () => {
    const { outcome, commands } = await deployed([], { ask: async () => false });

    expect(outcome).toBe('there is no bucket spikegrid-files, and it was not to be made');
    expect(commands).toEqual(['whoami --json', 'r2 bucket list']);
  });

  it('uses the same first key again where putting it had failed', async () => {
    const failing = { call: 'secret put', code: 1, err: 'network' };
    const first = await deployed([BUCKET_THERE, NO_WORKER, DEPLOYED, failing]);
    const key = readFileSync(keyPath(), 'utf8');
    const second = await deployed([BUCKET_THERE, { call: 'secret list', out: '[]' }, DEPLOYED]);

    expect(first.outcome).toMatch(
      /^the secret BOOTSTRAP_KEY was not put; the next deployment tries again/,
    );
    expect([second.outcome, readFileSync(keyPath(), 'utf8')]).toEqual(['deployed', key]);
    expect(second.made.at(-1)?.stdin).toBe(first.made.at(-1)?.stdin);
  });

  it('puts the Redis of the log as a secret, too', async () => {
    const secrets = { DISTRIBUTED_WS_REDIS: 'redis://:pass@redis.example' };
    const { made, said } = await deployed([BUCKET_THERE, NO_WORKER, DEPLOYED], { secrets });

    expect(made.at(-1)).toEqual({
      args: ['secret', 'put', 'DISTRIBUTED_WS_REDIS', '--name', 'spikegrid'],
      stdin: secrets.DISTRIBUTED_WS_REDIS,
    });
    expect(said).not.toContain('pass');
  });
});

describe('an environment', () => {
  it('has a Worker, buckets, objects and a first key of its own', async () => {
    const environment = environmentOf(folder, rawConfig, 'staging');
    const { commands, said } = await deployed([NO_WORKER, DEPLOYED], { environment });

    expect(commands).toContain('r2 bucket create spikegrid-files-staging');
    expect(commands).toContain('secret put BOOTSTRAP_KEY --name spikegrid-staging');
    expect(existsSync(join(folder, '.spikegrid/deploy/spikegrid-staging.key'))).toBe(true);
    expect(existsSync(keyPath())).toBe(false);
    const config = JSON.parse(readFileSync(join(folder, 'dist/deploy/staging.json'), 'utf8'));
    expect(config).toMatchObject({ name: 'spikegrid-staging', main: '../../edge/worker.ts' });
    expect(config).not.toHaveProperty('env');
    // A setting of its name would be in the way of the secret.
    expect(config.vars).toEqual({ AUTH_MODE: 'required', UPSTREAMS: {}, TARGET_ALLOWLIST: ['*'] });
    expect(said).toContain('as under [vars]: AUTH_MODE, UPSTREAMS, TARGET_ALLOWLIST');
  });

  it('does not lead where production leads unless it is said', () => {
    const vars = { ...rawConfig.vars, UPSTREAMS: { inference: 'https://inference.example' } };
    const own = { staging: { vars: { UPSTREAMS: { inference: 'https://try.example' } } } };

    expect(() => environmentOf(folder, { ...rawConfig, vars }, 'staging')).toThrow(
      "UPSTREAMS under [vars] is production's: say under [env.staging.vars] what it is for staging",
    );
    const { config } = environmentOf(folder, { ...rawConfig, vars, env: own }, 'staging');
    expect(config).toMatchObject({ vars: own.staging.vars });
  });

  it.each(['Staging', '-x', 'a/b', ''])('is not named "%s"', (name) => {
    expect(() => environmentOf(folder, rawConfig, name)).toThrow(/--env: got/);
  });
});

describe('the time of a start', () => {
  it('is that of the Worker and its garbage, not of who starts it', () => {
    const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
      id,
      callFrame: { functionName, url },
      children,
    });
    const nodes = [
      node(1, '(root)', '', [2, 3, 4, 5]),
      node(2, '(garbage collector)', ''),
      node(3, '(idle)', ''),
      node(4, 'fetch', 'folder/entry'),
      node(5, '', 'folder/worker.js', [6]),
      node(6, 'defineProperty', ''),
    ];

    const busy = busyMs({
      nodes,
      samples: [2, 3, 4, 5, 6],
      timeDeltas: [500, 9000, 8000, 2000, 1000],
    });

    expect(busy).toBe(3.5);
  });
});

describe('npm run deploy', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; printed: string }>((resolve) => {
      writeFileSync(join(folder, 'index.html'), '<!doctype html>');
      const main = join(checkout, 'dist/node/deploy.js');
      const command = [main, '--dashboard', folder, ...args];
      execFile(process.execPath, command, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
      );
    });

  it('does not prompt without a terminal', async () => {
    writeFileSync(join(folder, 'calls'), '');
    process.env['STAND_IN_CALLS'] = join(folder, 'calls');
    process.env['STAND_IN_ANSWERS'] = '[]';
    const { code, printed } = await run('--wrangler', join(folder, 'wrangler'));

    expect([code, printed]).toEqual([1, expect.stringContaining('--yes says yes to all')]);
  });
});

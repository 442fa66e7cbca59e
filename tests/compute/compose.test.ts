import { spawn } from 'node:child_process';
import { once as firstOf } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { readOptions } from '../../compute/launcher/options.ts';
import { killLaunchers, makeFolders, startLauncher } from './launcher-process.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe('compose.yaml', () => {
  const Compose = z.object({
    services: z.record(
      z.string(),
      z.object({
        build: z.literal('.'),
        command: z.array(z.string()),
        environment: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  });
  const { services } = z.parse(Compose, parse(readFileSync(fromRoot('compose.yaml'), 'utf8')));

  afterAll(killLaunchers);

  it('starts the platform with options that it has', () => {
    const [npm, start, , ...options] = services['platform']?.command ?? [];

    expect([npm, start]).toEqual(['npm', 'start']);
    expect(readOptions(options, {}, '/app')).toMatchObject({
      host: '0.0.0.0',
      auth: 'required',
      portBase: 8000,
      stateDir: '/state',
      browser: 'leave',
    });
  });

  it('adds a service that the gateway forwards to, for who has a key', async () => {
    const folders = makeFolders();
    const { gateway } = await startLauncher(folders, ['--auth', 'required']);
    const keyFile = join(folders.state, 'bootstrap-key');
    const { command = [], environment } = services['greeting'] ?? {};
    const [node, file = ''] = command;
    expect([node, existsSync(fromRoot(file))]).toEqual(['node', true]);
    // What differs from there is where the platform and its state are.
    const place = { GATEWAY: gateway, SERVICE_PORT: '0', KEY_FILE: keyFile };
    expect(Object.keys(place)).toEqual(Object.keys(environment ?? {}));
    const child = spawn(process.execPath, [fromRoot(file)], {
      env: { ...process.env, ...place },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await firstOf(child.stderr, 'data');
      const hello = (headers: Record<string, string>) =>
        fetch(new URL('/greeting/hello?name=Ada', gateway), { headers });

      const answer = await hello({
        authorization: `Bearer ${readFileSync(keyFile, 'utf8').trim()}`,
      });
      expect([answer.status, await answer.json()]).toEqual([200, { greeting: 'Hello Ada.' }]);
      expect((await hello({})).status).toBe(401);
    } finally {
      child.kill();
      await firstOf(child, 'exit');
    }
  });
});

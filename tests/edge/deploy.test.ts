import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './harness.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-deploy-'));
  mkdirSync(join(folder, 'dashboard'));
  writeFileSync(join(folder, 'dashboard/index.html'), '<!doctype html>');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the deployment', () => {
  it('is made from the same wrangler.toml, with everything bound', async () => {
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const out = join(folder, 'out');
    const args = ['deploy', '--dry-run', '--outdir', out, '--assets', join(folder, 'dashboard')];

    const { stdout } = await promisify(execFile)(process.execPath, [wrangler, ...args], {
      cwd: root,
      env: {
        ...process.env,
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_LOG_PATH: join(folder, 'log'),
        NO_COLOR: '1',
      },
    });

    for (const binding of [
      'env.REGISTRY (Registry)',
      'env.FILES (spikegrid-files)',
      'env.ASSETS',
    ]) {
      expect(stdout).toContain(binding);
    }
    expect(readdirSync(out)).toContain('worker.js');
    expect(stdout).not.toMatch(/warning/i);
  });
});

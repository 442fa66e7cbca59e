import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../edge/harness.ts';

describe('npm run deploy -- --dry-run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-deploying-'));
  beforeAll(() => writeFileSync(join(folder, 'index.html'), '<!doctype html>'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('rehearses with the real wrangler, and holds bundle and start against their bars', async () => {
    const main = join(root, 'dist/node/deploy.js');
    const args = [main, '--dashboard', folder, '--dry-run', '--env', 'rehearsal'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    const printed = stdout + stderr;

    expect(printed).toContain('Worker: spikegrid-rehearsal');
    const [, kilobytes] = /bundle: ([\d.]+) kB after gzip, of 500/.exec(printed)!;
    expect(Number(kilobytes)).toBeLessThanOrEqual(500);
    expect(printed).toMatch(/start: [\d.]+ ms, of 50/);
    expect(printed).toContain('wrangler secret put BOOTSTRAP_KEY --name spikegrid-rehearsal');
  });
});

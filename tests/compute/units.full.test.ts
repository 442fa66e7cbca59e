import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../edge/harness.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'spikegrid-units-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasSystemd)('the units of systemd (needs systemd-analyze)', () => {
  const units = readdirSync(join(root, 'deploy/systemd'));

  it.each(units)('%s is as systemd wants it', (unit) => {
    const text = readFileSync(join(root, 'deploy/systemd', unit), 'utf8');
    const path = join(folder, unit);
    writeFileSync(path, text.replaceAll('/opt/spikegrid', root.replace(/\/$/, '')));

    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const exposure = ['security', '--offline=true', '--threshold=30', path];
    const judged = spawnSync('systemd-analyze', exposure, { encoding: 'utf8' });

    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(judged.status, judged.stdout).toBe(0);
  });
});

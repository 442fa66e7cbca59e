import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Metafile } from 'esbuild';
import { root } from './harness.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-deploy-'));
  mkdirSync(join(folder, 'dashboard'));
  writeFileSync(join(folder, 'dashboard/index.html'), '<!doctype html>');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the deployment', () => {
  // It builds the dashboard first where nobody has, beside all other tests.
  it(
    'is made from the same wrangler.toml, with everything bound',
    { timeout: 120_000 },
    async () => {
      const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
      const out = join(folder, 'out');
      const metafile = join(folder, 'meta.json');
      const made = ['--outdir', out, '--metafile', metafile];
      const args = ['deploy', '--dry-run', ...made, '--assets', join(folder, 'dashboard')];

      const { stdout } = await promisify(execFile)(process.execPath, [wrangler, ...args], {
        cwd: root,
        env: {
          ...process.env,
          // Where the dashboard is not built yet, this builds it for everybody.
          NODE_ENV: 'production',
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
      // Descriptions are files of the build: what makes them is none of the Worker's code.
      const modules = modulesIn(metafile);
      expect(modules).toContain('edge/api-description/endpoints.ts');
      expect(modules.filter((path) => /^edge\/openapi\/|to-json-schema/.test(path))).toEqual([]);
    },
  );
});

/** The modules that something of is in what esbuild made: of one without, a few bytes are left. */
function modulesIn(metafile: string): readonly string[] {
  const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 100),
  );
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'SPIKEGRID_TEST_PAGES';

/** The folder of the dashboard, built from web/ as it is now. */
export const dashboardFolder = () => join(process.env[FOLDER]!, 'dashboard');

/** The folder of a page with parts of the dashboard that no screen shows on their own. */
export const partsFolder = () => join(process.env[FOLDER]!, 'parts');

/** Builds what the tests of one run look at, before any of its workers begins. */
// eslint-disable-next-line import/no-default-export -- what Playwright calls
export default async function buildPages(): Promise<() => void> {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'spikegrid-pages-'));
  await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    build: { outDir: dashboardFolder(), emptyOutDir: true },
  });
  await build({
    configFile: false,
    root: join(root, 'tests/web/pages/parts'),
    plugins: [react()],
    logLevel: 'warn',
    build: { outDir: partsFolder(), emptyOutDir: true },
  });
  return () => rmSync(process.env[FOLDER]!, { recursive: true });
}

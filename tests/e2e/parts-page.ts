import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { test as base } from './dashboard.ts';
import { startGateway } from './gateway-process.ts';

/** What tes../web/pages/parts/stage.ts puts on the page: the buffers, and ways to fill them. */
export interface Stage {
  readonly spikes: { push(words: Uint32Array): void; readonly wordsPerStep: number };
  pushSpikes(rate: number, silentFrom?: number): void;
  pushTrace(): void;
  pushRow(): void;
}

const source = fileURLToPath(new URL('../web/pages/parts', import.meta.url));

/** Tests against a page with parts of the dashboard, under the same policy as the dashboard. */
export const test = base.extend<object, { readonly parts: string }>({
  parts: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'spikegrid-parts-'));
      const outDir = join(folder, 'page');
      const [{ build }, { default: react }] = await Promise.all([
        import('vite'),
        import('@vitejs/plugin-react'),
      ]);
      await build({
        configFile: false,
        root: source,
        plugins: [react()],
        logLevel: 'warn',
        build: { outDir, emptyOutDir: false },
      });
      const gateway = await startGateway(outDir, join(folder, 'state'));
      await use(gateway.url);
      await gateway.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  // High enough that every widget is in view: what is not is not drawn.
  viewport: { width: 1000, height: 1900 },
  baseURL: async ({ parts }, use) => {
    await use(parts);
  },
});

export const figure = (page: Page, name: string) => page.getByRole('figure', { name });
export const canvas = (page: Page, name: string) => figure(page, name).locator('canvas');
export const cursor = (page: Page, name: string) =>
  figure(page, name).getByRole('slider', { name: 'Cursor over' });

/** Waits until everything pushed so far has been drawn. */
export const painted = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

export { expect } from './dashboard.ts';

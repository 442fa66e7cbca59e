import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import type { PresetName } from '../../engine/index.ts';
import { startGateway } from '../e2e/gateway-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const browserFolder = process.env['SPIKEGRID_CHROMIUM'];
if (!browserFolder) throw new Error('SPIKEGRID_CHROMIUM is not set: run this with `npm run bench`');

/** High enough that every picture is in sight and therefore drawn. */
const VIEWPORT = { width: 1440, height: 1500 };

/** The dashboard as it is now in a real browser, served by the real gateway. */
export interface LabTab {
  readonly page: Page;
  /** Opens the lab with these values in its address. */
  open(query: string, preset: PresetName): Promise<void>;
  close(): Promise<void>;
}

export async function openLabTab(): Promise<LabTab> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-perf-'));
  const gateway = await startGateway(await buildDashboard(folder), join(folder, 'state'));
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: 'en-US', viewport: VIEWPORT });
  page.on('dialog', (dialog) => void dialog.accept());
  return {
    page,
    async open(query, preset) {
      await page.goto(`${gateway.url}/lab?${query}`);
      await page.getByRole('combobox', { name: 'Preset' }).selectOption(preset);
    },
    async close() {
      await browser.close();
      await gateway.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: join(`${browserFolder}`, 'chromium'),
    args: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--no-sandbox'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: `${join(`${browserFolder}`, 'lib')}:${browserFolder}`,
    },
  });
}

/** The dashboard as it is now, built into a folder below the one that is given. */
export async function buildDashboard(folder: string): Promise<string> {
  const outDir = join(folder, 'web');
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  return outDir;
}

/** Trains on, and waits for a step, so that neither loading nor compiling is counted. */
export async function train(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Train|Resume)$/ }).click();
  await page.getByText(/^Step [1-9]/).waitFor({ timeout: 60_000 });
}

/** Milliseconds from a click on Pause until the page says that it holds. */
export function pause(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const buttons = [...document.querySelectorAll('button')];
    const start = performance.now();
    buttons.find(({ textContent }) => textContent === 'Pause')?.click();
    const holds = () => document.body.textContent?.includes('Paused at step');
    while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  });
}

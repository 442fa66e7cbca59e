import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright';
import { startGateway } from '../e2e/gateway-process.ts';
import { note, report } from './report.ts';

/**
 * Trains in a real tab and counts what kept its main thread busy for more than 50 ms (Long Tasks API).
 * What else was seen goes to the error output.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const SECONDS = 60;
const browserFolder = process.env['SPIKEGRID_CHROMIUM'];
if (!browserFolder) throw new Error('SPIKEGRID_CHROMIUM is not set: run this with `npm run bench`');

/** A task on the main thread: when it began after the training did, and how long it took, ms. */
interface LongTask {
  readonly at: number;
  readonly ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-perf-'));
const gateway = await startGateway(await buildDashboard(), join(folder, 'state'));
const browser = await chromium.launch({
  executablePath: join(browserFolder, 'chromium'),
  args: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--no-sandbox'],
  env: {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: `${join(browserFolder, 'lib')}:${browserFolder}`,
  },
});
try {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 1500 } });
  await openTraining(page, `${gateway.url}/lab?budget=10&budget_in=minutes`);
  const tasks = await longTasks(page, SECONDS * 1000);
  for (const { at, ms } of tasks) note(`${Math.round(ms)} ms after ${Math.round(at)} ms`);
  note(`pause held after ${Math.round(await pause(page))} ms`);
  report({
    bar: 12,
    name: `main-thread tasks over 50 ms in ${SECONDS} s of training in the tab`,
    value: tasks.length,
    unit: 'tasks',
    target: 0,
    better: 'lower',
  });
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(folder, { recursive: true });
}

async function buildDashboard(): Promise<string> {
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

/** Opens the lab and waits until a run is training, so that neither loading nor compiling is counted. */
async function openTraining(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await page.getByText(/^Step [1-9]/).waitFor({ timeout: 60_000 });
}

function longTasks(page: Page, ms: number): Promise<LongTask[]> {
  return page.evaluate(async (duration) => {
    const start = performance.now();
    const found: { at: number; ms: number }[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { startTime, duration: took } of list.getEntries()) {
        found.push({ at: startTime - start, ms: took });
      }
    });
    observer.observe({ type: 'longtask' });
    await new Promise((resolve) => setTimeout(resolve, duration));
    observer.disconnect();
    return found;
  }, ms);
}

/** Milliseconds from a click on Pause until the page says that it holds. */
function pause(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const buttons = [...document.querySelectorAll('button')];
    const start = performance.now();
    buttons.find(({ textContent }) => textContent === 'Pause')?.click();
    const holds = () => document.body.textContent?.includes('Paused at step');
    while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../e2e/gateway-process.ts';
import { buildDashboard, launchBrowser } from './lab-tab.ts';
import { note, report } from './report.ts';

/*
 * Scrolls the log screen at 24,000 px a second, with 10,000 lines in it and 1,000 more a second:
 * `npm run bench -- --only 21` does it among others.
 */
const LINES = 10_000;
const PER_SECOND = 1_000;
const BATCHES = 20;
const SECONDS = 10;
const PX_PER_S = 24_000;

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-perf-'));
const gateway = await startGateway(await buildDashboard(folder), join(folder, 'state'), [
  '--no-trainer',
  '--no-inference',
  '--no-plugins',
]);
const browser = await launchBrowser();
const stop = new AbortController();

async function publish(): Promise<void> {
  for (let n = 0; !stop.signal.aborted;) {
    const logs = Array.from({ length: PER_SECOND / BATCHES }, () => {
      n += 1;
      const level = n % 7 === 0 ? 'warn' : 'info';
      return { message: `message ${n}: the prompt went to lang-main`, level, source: 'pfc-1' };
    });
    await fetch(`${gateway.url}/distributed_brain/publish_logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ logs }),
    });
    await sleep(1000 / BATCHES);
  }
}

try {
  const page = await browser.newPage({
    locale: 'en-US',
    viewport: { width: 1440, height: 1000 },
  });
  await page.goto(`${gateway.url}/logs`);
  const publishing = publish();
  await page.getByText(`${LINES.toLocaleString('en-US')} lines`).waitFor({ timeout: 6 * LINES });
  const seen = await page
    .getByRole('log')
    .evaluate(scroll, { ms: SECONDS * 1000, speed: PX_PER_S });
  stop.abort();
  await publishing;
  const frames = seen.frames.toSorted((a, b) => a - b);
  const p95 = frames[Math.floor(frames.length * 0.95)] ?? Number.NaN;
  note(`${frames.length} frames, worst ${frames.at(-1)?.toFixed(1)} ms, ${seen.rows} rows at most`);
  report({
    bar: 21,
    name: `frame of the log list, p95, ${LINES} lines, ${PER_SECOND} a second, scrolled`,
    value: Number(p95.toFixed(1)),
    unit: 'ms',
    target: 20,
    better: 'lower',
  });
} finally {
  stop.abort();
  await browser.close();
  await gateway.stop();
  rmSync(folder, { recursive: true });
}

/** Runs in the page: scrolls up and down, and notes how long each frame took. */
async function scroll(list: Element, { ms, speed }: { ms: number; speed: number }) {
  const frames: number[] = [];
  let rows = 0;
  let direction = -1;
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const began = await nextFrame();
  for (let before = began; before < began + ms;) {
    const now = await nextFrame();
    frames.push(now - before);
    rows = Math.max(rows, list.querySelectorAll('button').length);
    if (list.scrollTop <= 0) direction = 1;
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) direction = -1;
    list.scrollBy({ top: (direction * speed * (now - before)) / 1000 });
    before = now;
  }
  return { frames, rows };
}

import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { parseDevice, type PresetName } from '../../engine/index.ts';
import { type LabTab, openLabTab, pause, train } from './lab-tab.ts';
import { note, report } from './report.ts';

/**
 * Trains in a real tab and counts the tasks that kept its main thread busy for more than 50 ms (Long Tasks API).
 * Other observations go to the error output. `--device` as in the lab; its own overhead is measured.
 */
const { values } = parseArgs({
  options: { device: { type: 'string', default: 'auto' }, only: { type: 'string' } },
});
const device = parseDevice(values.device);

/** The first is quick to report its steps, the second keeps every core busy. */
const PRESETS: readonly PresetName[] = ['tiny', 'small'];
const SECONDS = 60;

/** A task on the main thread: when it began after the training did, and how long it took, ms. */
interface LongTask {
  readonly at: number;
  readonly ms: number;
}

const tab = await openLabTab();
try {
  let tasks = 0;
  for (const preset of PRESETS) tasks += await countTasks(tab, preset, SECONDS / PRESETS.length);
  report({
    bar: 12,
    name: `main-thread tasks over 50 ms in ${SECONDS} s of training in the tab`,
    value: tasks,
    unit: 'tasks',
    target: 0,
    better: 'lower',
  });
} finally {
  await tab.close();
}

async function countTasks({ page, open }: LabTab, preset: PresetName, seconds: number) {
  await open(`device=${device}&budget=10&budget_in=minutes`, preset);
  await train(page);
  const tasks = await longTasks(page, seconds * 1000);
  for (const { at, ms } of tasks) {
    note(`${preset}: ${Math.round(ms)} ms after ${Math.round(at)} ms`);
  }
  note(`${preset}: pause held after ${Math.round(await pause(page))} ms`);
  return tasks.length;
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

import type { Page } from 'playwright';
import {
  blobSource,
  createTrainingRun,
  openBackend,
  openCorpus,
  presets,
  stableBaseline,
  type TrainingRun,
  type TrainingSettings,
} from '../../engine/index.ts';
import { openLabTab, pause, train } from './lab-tab.ts';
import { median, note, report } from './report.ts';

/**
 * Trains the same model on the same text in a real tab and in Node, in turn so that what else the
 * machine does meets both. What the lab does beside its steps, such as drawing the neurons, counts.
 */
const ROUNDS = 5;
const SECONDS = 12;
const WARM_UP_SECONDS = 3;
/** Steps that Node trains without a look at the clock. */
const STRIDE = 4;

const settings: TrainingSettings = {
  ...presets.small,
  seed: 1,
  budget: { kind: 'minutes', minutes: 60 },
};
const tokensPerStep = settings.batch * settings.sequence;

const tab = await openLabTab();
try {
  const novel = tab.page.waitForRequest(/moby-dick.*\.txt$/);
  await tab.open('device=wasm&budget=60&budget_in=minutes&check_every=100000', 'small');
  const run = await openRun((await novel).url());
  const inTab: number[] = [];
  const inNode: number[] = [];
  await trainInTab(tab.page, WARM_UP_SECONDS);
  await trainInNode(run, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    inTab.push(await trainInTab(tab.page, SECONDS));
    inNode.push(await trainInNode(run, SECONDS));
    note(`tokens/s: ${inTab.at(-1)?.toFixed(0)} in the tab, ${inNode.at(-1)?.toFixed(0)} in Node`);
  }
  note(`medians: ${median(inTab).toFixed(0)} in the tab, ${median(inNode).toFixed(0)} in Node`);
  report({
    bar: 12,
    name: 'tokens/s in a tab over tokens/s in Node',
    value: median(inTab) / median(inNode),
    unit: 'times',
    target: 0.8,
    better: 'higher',
  });
} finally {
  await tab.close();
}
// The threads wait for more and would keep the process.
process.exit(0);

async function openRun(novel: string): Promise<TrainingRun> {
  const text = await (await fetch(novel)).blob();
  const backend = await openBackend('wasm', { gpu: undefined });
  note(`Node trains on: ${backend.device.label}`);
  return createTrainingRun({
    backend,
    corpus: await openCorpus(blobSource(text, 'moby-dick.txt')),
    settings,
    controls: stableBaseline,
  });
}

async function trainInTab(page: Page, seconds: number): Promise<number> {
  await train(page);
  const stepsPerSecond = await page.evaluate(async (ms) => {
    const words = () => [...document.querySelectorAll('section[aria-label=Run] span')];
    const step = () => {
      const said = words().find(({ textContent }) => textContent?.startsWith('Step '));
      return Number(said?.textContent?.replaceAll(/\D/g, ''));
    };
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    /** Waits for the next report, so that no step counts in part. */
    const nextReport = async () => {
      for (const before = step(); step() === before; await frame());
      return { step: step(), at: performance.now() };
    };
    const first = await nextReport();
    while (performance.now() - first.at < ms) await frame();
    const last = await nextReport();
    return (1000 * (last.step - first.step)) / (last.at - first.at);
  }, 1000 * seconds);
  await pause(page);
  return stepsPerSecond * tokensPerStep;
}

async function trainInNode(run: TrainingRun, seconds: number): Promise<number> {
  const [first, started] = [run.step(), performance.now()];
  while (performance.now() - started < 1000 * seconds) await run.advance(STRIDE);
  return (1000 * (run.step() - first) * tokensPerStep) / (performance.now() - started);
}

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { LoadedModels } from '../../edge/inference/contract/loaded-model.ts';
import { expectAccessibleIn, violations } from './axe.ts';
import { expect, REFUSED, test as shared } from './dashboard.ts';
import { startGateway } from './gateway-process.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom } from './layout.ts';
import { startSpikegrid } from './spikegrid.ts';
import { registerTextModel, TEXT_MODEL } from './text-models.ts';

const run = promisify(execFile);

const test = shared.extend({
  baseURL: async ({ answering }, use) => {
    await use(answering.url);
  },
});

const NEW = `${TEXT_MODEL.id}@1.1.0`;
const OLD = `${TEXT_MODEL.id}@1.0.0`;

const answerOf = (page: Page, model: string) =>
  page.getByRole('region', { name: `Response of ${model}`, exact: true });
const ask = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const answered = (page: Page, model: string) =>
  expect(page.getByRole('region', { name: model, exact: true })).toContainText(/\d+ tokens in/, {
    timeout: 30_000,
  });

test('a model is chosen, asked by keyboard, and everything about its answer is shown', async ({
  page,
}) => {
  await page.goto('/playground');
  await page.getByLabel('Model', { exact: true }).selectOption(TEXT_MODEL.id);
  await page.getByLabel('Version or alias').selectOption(`${TEXT_MODEL.id}@production`);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('the quick ');
  await page.locator('summary', { hasText: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Maximum characters' }).fill('60');

  await page.getByRole('textbox', { name: 'Prompt' }).press('Control+Enter');

  const model = `${TEXT_MODEL.id}@production`;
  const panel = page.getByRole('region', { name: model, exact: true });
  await answered(page, model);
  await expect(answerOf(page, model)).toContainText(/^the quick .+/s);
  const latency = page.getByRole('figure', { name: `Latency breakdown: ${model}` });
  await expect(latency).toContainText(/in total: .+ in the queue, .+ computing, .+ on the network/);
  await latency.getByRole('radio', { name: 'Table' }).check();
  await expect(latency.getByRole('row')).toHaveCount(6);
  await expect(
    panel.getByRole('table', { name: `Energy estimated three ways: ${model}` }),
  ).toContainText('With memory traffic');
  await expect(panel).toContainText(
    /spiking wins only below a firing rate of [\d.]+% with the time steps of this model, roughly 6% with six: this response, at [\d.]+%, is (below|above) it/,
  );
  await expect(panel).toContainText('1.1.0');
  const raster = page.getByRole('figure', { name: `Spikes of ${model}` });
  await expect(raster).toContainText(/neurons, mean firing rate/);
  await raster.getByLabel('Layer').selectOption({ index: 1 });
  await expect(page).toHaveURL(/model=foxes%40production.*prompt=the\+quick\+.*layer=/);
});

for (const { language, details } of LANGUAGES) {
  test(
    `two versions are asked side by side, accessible: ${language}`,
    details,
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto(
        `/playground?model=${NEW}&beside=${OLD}&prompt=she+&max_length=40&lang=${language}`,
      );
      await page.locator('form button[type=submit]').click();
      await expect(page.getByRole('figure')).toHaveCount(4, { timeout: 30_000 });

      await expect(page.locator('mark').first()).toBeVisible();
      await expectAccessibleIn(language, page, 'two versions');
      await expectRoom(page, 'the playground');
    },
  );
}

test('an answer is stopped, asked for again from the history, and shown again', async ({
  page,
}) => {
  await page.goto(`/playground?model=${NEW}&prompt=the+&max_length=100000&raster=0`);
  await ask(page).click();
  await expect(answerOf(page, NEW)).toContainText(/the .{20}/s, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText(/^Stopped after/)).toBeVisible();

  await page.goto('/playground');
  await page.goto(`/playground?model=${NEW}&prompt=the+&max_length=30&seed=5`);
  await ask(page).click();
  await answered(page, NEW);
  const first = await answerOf(page, NEW).textContent();
  const history = page.getByRole('region', { name: 'Requests in this tab', exact: true });
  await history.getByRole('button', { name: 'Run “the” again' }).click();
  await expect(history.getByRole('row')).toHaveCount(3);
  await answered(page, NEW);
  expect(await answerOf(page, NEW).textContent()).toBe(first);

  await page.getByRole('textbox', { name: 'Prompt' }).fill('dog');
  await ask(page).click();
  await answered(page, NEW);
  await history.getByRole('button', { name: 'Show the response to “the”' }).last().click();
  await expect(answerOf(page, NEW)).toHaveText(first ?? '');
});

test('the code that is copied answers the same elsewhere', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/playground?model=${NEW}&max_length=25&raster=0`);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('she sells ');
  await ask(page).click();
  await answered(page, NEW);
  const text = (await answerOf(page, NEW).textContent())?.slice('she sells '.length);
  await page.locator('summary', { hasText: 'As code' }).click();
  const copied = async (kind: string) => {
    await page.getByRole('button', { name: `Copy as ${kind}` }).click();
    await expect(page.getByText('Copied', { exact: true }).last()).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  const { stdout: json } = await run('bash', ['-c', `${await copied('curl')} -s`]);
  expect(JSON.parse(json).outputs.text).toBe(text);

  await page.getByRole('radio', { name: 'TypeScript' }).check();
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-code-'));
  const script = join(folder, 'ask.mts');
  writeFileSync(script, await copied('TypeScript'));
  const { stdout } = await run(process.execPath, [script]);
  rmSync(folder, { recursive: true });
  expect(stdout.startsWith(`${text}\n`)).toBe(true);
});

test('a loaded model is pinned and unloaded; a link on its page leads here', async ({ page }) => {
  await page.goto(`/models/${TEXT_MODEL.id}?version=1.0.0`);
  await page.getByRole('link', { name: 'Try it' }).click();
  await expect(page.getByLabel('Version or alias')).toHaveValue(OLD);
  const loaded = page.getByRole('region', { name: 'Loaded models', exact: true });
  const load = loaded.getByRole('button', { name: `Load ${OLD}`, exact: true });
  if (await load.isVisible()) await load.click();
  await loaded.getByRole('button', { name: `Pin ${OLD}`, exact: true }).click();
  await expect(loaded.getByText('Pinned', { exact: true })).toBeVisible();
  await loaded.getByRole('button', { name: `Unpin ${OLD}`, exact: true }).click();
  await expect(loaded.getByText('Pinned', { exact: true })).toHaveCount(0);

  await loaded.getByRole('button', { name: `Unload ${OLD}`, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it loaded' }).click();
  await loaded.getByRole('button', { name: `Unload ${OLD}`, exact: true }).click();
  await dialog.getByRole('button', { name: 'Unload', exact: true }).click();

  await expect(loaded.getByRole('button', { name: `Load ${OLD}`, exact: true })).toBeVisible();
  await expect(loaded.getByRole('rowheader', { name: OLD })).toHaveCount(0);
});

test('what the model does not know is refused with the reason', async ({ page, expected }) => {
  expected.push(REFUSED);
  await page.goto(`/playground?model=${NEW}&prompt=%E6%BC%A2`);
  await ask(page).click();

  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('validation_failed');
  await expect(refusal).toContainText('漢');
});

test(
  'without a service the way to one is shown; a busy one says when to ask again',
  { tag: '@full' },
  async ({ page, build, expected }) => {
    test.setTimeout(180_000);
    expected.push(REFUSED, UNAVAILABLE);
    const state = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
    const gateway = await startGateway(build, state, [
      '--no-trainer',
      '--no-inference',
      '--no-plugins',
    ]);
    await registerTextModel(gateway.url);
    await page.goto(`${gateway.url}/playground?model=${NEW}&max_length=20&raster=0`);
    await expect(page.getByText('No inference service is responding')).toBeVisible({
      timeout: 20_000,
    });
    await expect(page.locator('main')).toContainText(`serve --gateway ${gateway.url}`);
    expect(await violations(page)).toEqual([]);

    const port = Number(new URL(gateway.url).port) + 2;
    const server = await startSpikegrid(
      'serving models',
      ...['serve', '--gateway', gateway.url, '--host', '127.0.0.1', '--port', `${port}`],
      ...['--workers', '1', '--max-batch-size', '1', '--max-queue-size', '1'],
    );
    await register(gateway.url, `http://127.0.0.1:${port}`);
    await expect(page.getByRole('region', { name: 'Loaded models', exact: true })).toBeVisible({
      timeout: 30_000,
    });
    // One is written, one waits: there is no room for a third.
    const busy = new AbortController();
    const busyWith = [occupy(gateway.url, busy.signal), occupy(gateway.url, busy.signal)];
    await expect.poll(() => requestsTo(gateway.url)).toBe(busyWith.length);

    await ask(page).click();

    const refusal = page.getByRole('alert');
    await expect(refusal).toContainText('rate_limited', { timeout: 20_000 });
    expect(await violations(page)).toEqual([]);
    busy.abort();
    await Promise.all(busyWith);
    // The service may take a moment to notice that nobody waits any more.
    await expect(async () => {
      const again = page.getByRole('button', { name: 'Run again', exact: true });
      if (await again.isVisible()) await again.click();
      const panel = page.getByRole('region', { name: NEW, exact: true });
      await expect(panel).toContainText(/\d+ tokens in/, { timeout: 2_000 });
    }).toPass({ timeout: 90_000 });
    // Nothing is asked any more of what is about to stop.
    await page.goto('about:blank');
    server.kill('SIGTERM');
    await once(server, 'exit');
    await gateway.stop();
    rmSync(state, { recursive: true });
  },
);

/** The browser's console message for a 5xx response of a gateway whose service is down. */
const UNAVAILABLE = /Failed to load resource: the server responded with a status of 5\d\d/;

async function register(gateway: string, url: string): Promise<void> {
  const answer = await fetch(`${gateway}/services/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'inference', url, health: { interval_s: 1, timeout_s: 0.5 } }),
  });
  expect(answer.status).toBeLessThan(300);
}

/** Asks for a text that takes long, until the signal says that it is enough. */
async function occupy(gateway: string, signal: AbortSignal): Promise<void> {
  const request = {
    model_id: TEXT_MODEL.id,
    version: '1.1.0',
    inputs: { text: 'the ' },
    config: { max_length: 100_000 },
  };
  const asked = fetch(`${gateway}/inference/infer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  });
  await asked.catch(() => {});
}

/** How often a model was asked for that is loaded. */
async function requestsTo(gateway: string): Promise<number> {
  const answer = await fetch(`${gateway}/inference/models`);
  const { models } = LoadedModels.parse(await answer.json());
  return models.reduce((sum, { requests }) => sum + requests, 0);
}

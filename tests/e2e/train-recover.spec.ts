import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { submitInForm } from './new-job-form.ts';
import { startSpikegrid } from './spikegrid.ts';
import { inferenceReady } from './text-models.ts';
import { expect, readJob, test as shared, until } from './training.ts';

interface Whole {
  readonly gateway: GatewayProcess;
  /** Starts a trainer of this name, and waits until it asks for work. */
  startTrainer(name: string): ReturnType<typeof startSpikegrid>;
}

/** A platform that answers from its models, and trains on the trainers that are started for it. */
const test = shared.extend<object, { readonly whole: Whole }>({
  whole: [
    async ({ build }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'spikegrid-whole-'));
      const data = join(folder, 'data');
      mkdirSync(data);
      const gateway = await startGateway(build, join(folder, 'state'), [
        '--no-trainer',
        '--no-plugins',
      ]);
      const trainers: Awaited<ReturnType<typeof startSpikegrid>>[] = [];
      await use({
        gateway,
        async startTrainer(name) {
          const roots = ['--data', data, '--output', join(folder, name)];
          const device = ['--device', 'wasm', '--threads', '1'];
          const lent = ['--gateway', gateway.url, '--name', name, ...roots, ...device];
          const trainer = await startSpikegrid('waiting for work', 'trainer', ...lent);
          trainers.push(trainer);
          return trainer;
        },
      });
      for (const trainer of trainers) {
        if (trainer.exitCode !== null || trainer.signalCode !== null) continue;
        trainer.kill('SIGTERM');
        await once(trainer, 'exit');
      }
      await gateway.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('a job whose trainer is killed goes on elsewhere, and its model answers', async ({
  page,
  whole: { gateway, startTrainer },
}) => {
  test.setTimeout(300_000);
  const { url } = gateway;
  const killed = await startTrainer('first desk');
  await page.goto(`${url}/jobs`);
  const id = await submitInForm(page, 'survivor', '4000');
  const state = page.getByRole('region', { name: 'State of the job' });
  await expect(state).toContainText('Running', { timeout: 60_000 });
  await until(url, id, ({ checkpoints }) => checkpoints.length > 0);

  killed.kill('SIGKILL');
  await expect(state).toContainText('Recovering', { timeout: 60_000 });
  await startTrainer('second desk');
  await expect(state).toContainText('Succeeded', { timeout: 180_000 });
  await page.getByRole('tab', { name: 'Attempts' }).click();
  await expect(page.getByRole('row', { name: /first desk/ })).toContainText('Trainer lost');
  await expect(page.getByRole('row', { name: /second desk/ })).toContainText('Completed');
  const { attempts } = await readJob(url, id);
  expect(attempts[1]?.from_step).toBeGreaterThan(0);

  await inferenceReady(url);
  await page.getByRole('link', { name: 'Try it in the playground' }).click();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('The whale ');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const answer = page.getByRole('region', { name: /^Answer of survivor@/ });
  await expect(answer).toContainText(/^The whale .+/s, { timeout: 60_000 });
  await expect(page.getByText(/\d+ tokens in/).first()).toBeVisible({ timeout: 60_000 });
});

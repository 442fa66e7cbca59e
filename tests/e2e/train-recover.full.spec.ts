import { submitInForm } from './new-job-form.ts';
import { inferenceReady } from './text-models.ts';
import { expect, readJob, test, until } from './training.ts';

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
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const answer = page.getByRole('region', { name: /^Response of survivor@/ });
  await expect(answer).toContainText(/^The whale .+/s, { timeout: 60_000 });
  await expect(page.getByText(/\d+ tokens in/).first()).toBeVisible({ timeout: 60_000 });
});

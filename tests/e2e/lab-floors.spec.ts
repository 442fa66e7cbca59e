import { expect, test } from './dashboard.ts';
import { FROM_NOTHING, figure, inState, openLab, TALL, trainUntil } from './lab.ts';

test.use({ viewport: TALL });

test('the chart has lines of what a run has to beat, and its end says which it has not', async ({
  page,
}) => {
  await openLab(page, `${FROM_NOTHING}&device=wasm&budget=40`);
  await trainUntil(page, 40);
  await inState(page, 'Finished');

  const words = figure(page, 'Loss').locator('figcaption');
  for (const name of ['uniform', 'unigram', 'bigram', '5-gram']) {
    await expect(words).toContainText(new RegExp(`${name} \\d`));
  }
  await expect(
    page.getByText(/Not better than (uniform guessing|a unigram|a bigram)/),
  ).toBeVisible();
  await expect(page.getByText(/Likely cause: 40 steps with 2,560 tokens/)).toBeVisible();
});

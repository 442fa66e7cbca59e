import type { Locator, Page } from 'playwright/test';
import type { Health } from '../../edge/health/contract/health.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { press } from './keyboard.ts';
import { MODEL_COUNT, RICH } from './models.ts';
import { countPixels } from './pixels.ts';

const trace = (page: Page) => page.getByRole('figure', { name: 'Membrane potential' });
const cursor = (figure: Locator) => figure.getByRole('slider', { name: 'Cursor over' });

/** The sentence of the neuron. */
const spikes = (page: Page) => trace(page).locator('figcaption');

test.describe('the overview', () => {
  test('says how the services are and what the registry holds', async ({ page }) => {
    await page.goto('/');

    await expect(page.getByText('6 of 6 services are passing.')).toBeVisible();
    const services = page.getByRole('table', { name: 'Services' });
    await expect(services.getByRole('row', { name: /^gateway Passing/ })).toBeVisible();
    await expect(services.getByRole('row', { name: /^registry Passing/ })).toBeVisible();
    const models = page.getByRole('definition').getByRole('link', { name: String(MODEL_COUNT) });
    await models.click();
    await expect(page).toHaveURL('/models');
  });

  test('says which process is down, when the next try is, and how often it was restarted', async ({
    page,
  }) => {
    const at = new Date().toISOString();
    const next = new Date(Date.now() + 45_000).toISOString();
    const running = { restarts: 0, last_exit: null, last_exit_at: null, next_start_at: null };
    const down = { restarts: 7, last_exit: 'exit code 1', last_exit_at: at, next_start_at: next };
    const processes = [
      { name: 'workerd', status: 'running', ...running },
      { name: 'trainer', status: 'down', ...down },
    ] as const;
    const json: Health = {
      status: 'degraded',
      service: 'gateway',
      version: '0.1.0',
      uptime_s: 90,
      checks: {
        processes: { status: 'degraded', detail: 'trainer is down.', processes: [...processes] },
      },
      timestamp: at,
    };
    await page.route(/\/health$/, (route) => route.fulfill({ json }));
    await page.goto('/');

    await expect(
      page.getByText(/trainer is down: exit code 1, next attempt in (?:4[0-5]|3\d) s\./),
    ).toBeVisible();
    const table = page.getByRole('table', { name: 'Processes of this platform' });
    await expect(table.getByRole('row', { name: /^workerd Running 0/ })).toBeVisible();
    await expect(
      table.getByRole('row', { name: /^trainer Down, next attempt in \d+ s 7 exit code 1/ }),
    ).toBeVisible();
  });

  test('leads to the lab', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Open the training lab' }).click();

    await expect(page).toHaveURL('/lab');
  });
});

test.describe('the latest events', () => {
  const events = (page: Page) => page.getByRole('region', { name: 'Latest events' });

  test('appear as they happen, and link to their subject', async ({ page, platform }) => {
    await page.goto('/');
    await expect(events(page).getByRole('listitem')).toHaveCount(8);
    const alias = `${platform.url}/registry/models/${RICH.id}/aliases/announced`;

    await page.request.put(alias, { data: { version: '1.0.0' } });
    const latest = events(page).getByRole('listitem').first();
    const said = `^ModelAlias announced of ${RICH.id} means version 1.0.0`;
    // On a busy machine it may be shown a little later than it happened.
    await expect(latest).toHaveText(new RegExp(`${said}(now|\\d+ seconds? ago)$`));
    await page.request.delete(alias);
    await expect(latest).toContainText(`Alias announced of ${RICH.id} is removed`);
    await latest.getByRole('link').click();

    await expect(page).toHaveURL(`/models/${RICH.id}`);
  });

  test('say so where they cannot be had', async ({ page, expected }) => {
    expected.push(REFUSED);
    const json = { code: 'forbidden', title: 'Forbidden', status: 403, detail: 'Not for you.' };
    await page.route('**/events?*', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', json }),
    );
    await page.goto('/');

    await expect(events(page).getByText('Not available')).toBeVisible();
    await expect(events(page).getByRole('alert')).toBeVisible();
  });
});

test.describe('the one neuron', () => {
  // Without motion it stands still until it is run, so that what is drawn can be known.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('is drawn: its trace, and a stroke for every spike', async ({ page }) => {
    await page.goto('/');

    await expect(spikes(page)).toContainText('12 spikes in 240 steps');
    const canvas = trace(page).locator('canvas');
    await expect.poll(() => countPixels(canvas, '--series-1')).toBeGreaterThan(500);
    await expect.poll(() => countPixels(canvas, '--spike')).toBeGreaterThan(100);
  });

  test('takes its drive from the address and puts it there', async ({ page }) => {
    await page.goto('/?current=0.16');
    await expect(page.getByRole('slider', { name: 'Input current' })).toHaveValue('0.16');
    await expect(spikes(page)).toContainText(/ 3\d spikes in 240 steps/);

    await page.getByRole('slider', { name: 'Time constant' }).fill('40');
    await expect(page).toHaveURL('/?current=0.16&tau=40');
  });

  test('holds to its own values where the address has none that are possible', async ({ page }) => {
    await page.goto('/?current=7&tau=fast');

    await expect(page.getByRole('slider', { name: 'Input current' })).toHaveValue('0.08');
    await expect(page.getByRole('slider', { name: 'Time constant' })).toHaveValue('20');
  });

  test('is read step by step with the arrow keys', async ({ page }) => {
    await page.goto('/');
    const slider = cursor(trace(page));
    await slider.focus();
    await expect(slider).toHaveAttribute('aria-valuetext', 'Press an arrow key to read values.');

    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', /^Step 239: One neuron [\d.]+$/);
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', 'Step 0: One neuron 0.08');
    await press(page, 'PageUp', 2);
    // 20 ms * ln(u / (u - 1)) = 18.8 steps lie below the threshold, u = I / (1 - beta) = 1.64.
    await press(page, 'ArrowLeft', 2);
    await expect(slider).toHaveAttribute('aria-valuetext', /^Step 18: .* with a spike$/);
  });

  test('has a table behind it, and a file of that', async ({ page }) => {
    await page.goto('/');
    await trace(page).getByRole('radio', { name: 'Table' }).check();

    const rows = trace(page).getByRole('row');
    await expect(rows.first()).toHaveText('StepOne neuron');
    await expect(rows.nth(1)).toContainText(/^239/);

    const download = page.waitForEvent('download');
    await trace(page).getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Membrane potential.csv');
  });

  test('turns pages instead of scrolling while it runs', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Run' }).click();

    // Only whole windows are shown: 0 to 240, then 240 to 480.
    const steps = trace(page).getByText(/^step \d+$/);
    await expect(steps.first()).toHaveText('step 240', { timeout: 15_000 });
    await expect(steps.last()).toHaveText('step 480');
    await page.getByRole('button', { name: 'Pause' }).click();
  });
});

test('runs by itself where motion is welcome, and stops on request', async ({ page }) => {
  await page.goto('/');
  const first = trace(page)
    .getByText(/^step \d+$/)
    .first();
  await expect(first).not.toHaveText('step 0');

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Run' })).toBeFocused();
});

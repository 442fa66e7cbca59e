import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestHost } from '../../compute/test-host/test-host.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './dashboard.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { expectRoom } from './layout.ts';

/** Waits for a file, so that the test decides when it ends; nothing of the suites themselves is run. */
const scriptOf = (gate: string) =>
  [
    '/bin/sh',
    '-c',
    `echo begun; echo complaint >&2; until [ -e ${gate} ]; do sleep 0.05; done; echo '2 passed, 1 failed, 0 skipped'; exit 1`,
  ] as const;

interface Host {
  /** Lets the suite go on to its end. */
  finish(): void;
}

const test = base.extend<{ host: Host }>({
  host: async ({ platformToFill: { url } }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'spikegrid-test-host-'));
    const gate = join(folder, 'gate');
    const suite = [{ name: 'script', argv: scriptOf(gate) }] as const;
    const host = new TestHost({
      gateway: url,
      headers: {},
      host: '127.0.0.1',
      port: 0,
      auth: 'local',
      isEnabled: true,
      suites: { unit: suite, integration: suite, all: suite },
      root: folder,
      folder: join(folder, 'runs'),
    });
    await host.start();
    await use({ finish: () => writeFileSync(gate, '') });
    await host.stop();
    rmSync(folder, { recursive: true });
  },
});

// Nothing moves, so that each look is at the same page.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** A key that may run tests and nothing else: nobody may without one, even at the machine itself. */
async function keyFor({ url, firstKey }: GatewayProcess): Promise<string> {
  const answer = await fetch(`${url}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${firstKey()}` },
    body: JSON.stringify({ name: 'tests', scopes: ['test:run'] }),
  });
  const { key } = (await answer.json()) as { readonly key: string };
  return key;
}

test('where no host runs tests, the screen says how to allow it', async ({ page }) => {
  await page.goto('/tests');

  await expect(page.getByText('ENABLE_TEST_ENDPOINT=1 npm start')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0);
});

test('tests are started, followed, and found again later', async ({
  page,
  host,
  platformToFill,
}) => {
  const { url } = platformToFill;
  await page.goto(`${url}/tests`);
  await expectAccessible(page, 'a key is asked for');
  await page.getByLabel('API key').fill(await keyFor(platformToFill));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('radio', { name: 'Integration' }).check();
  await expect(page.getByText('Ended after 300 s. Not run here yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const output = page.getByRole('log');
  await expect(output).toContainText('begun');
  await expect(output).toContainText('complaint');
  await expect(page.getByText('Tests are running.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Running …' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expectAccessible(page, 'a run under way');

  host.finish();
  await expect(output).toContainText('1 failed');
  await expect(page.getByText('The last run: Failed.')).toBeVisible();
  const row = page.getByRole('table', { name: 'Recent runs' }).locator('tbody tr').first();
  await expect(row).toContainText('Integration');
  await expect(row.locator('td')).toContainText(['Integration', 'Failed', '2', '1']);
  await expect(page.getByText(/^Ended after 300 s. The last run took/)).toBeVisible();
  await expectRoom(page, 'a run');

  await page.goto(`${url}/tests?lang=ja`);
  await page.getByRole('table', { name: '最近の実行' }).getByRole('button').first().click();
  await expect(output).toContainText('begun');
  await expect(page.getByText('前回の結果: 不合格。')).toBeVisible();
  await expectAccessible(page, 'a run of before, ja');
});

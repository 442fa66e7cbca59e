import type { ChildProcess } from 'node:child_process';
import type { Page } from 'playwright/test';
import { violations } from './axe.ts';
import { expect, test as base } from './dashboard.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { withGateway } from './platforms.ts';
import { runSpikegrid } from './spikegrid.ts';
import { registerTextModel, TEXT_MODEL } from './text-models.ts';

/** Of the regions that every platform has, the one with the first priority, and the third. */
const HOME = 'ap-northeast-1';
const AWAY = 'us-west-2';
/** By which of two signs it is found first that a region is dead. */
const WHY = /all \d probes of a round failed|no node was heard for [\d.]+ s/;

interface Brain {
  readonly gateway: GatewayProcess;
  /** Starts a node as a process of its own. */
  start(nodeId: string, type: string, region: string, ...more: readonly string[]): void;
  /** Ends nodes as a cut of the power does. */
  kill(...nodeIds: readonly string[]): void;
}

/** A platform of its own, as it loses a region. */
const test = base.extend<{ brain: Brain }>({
  brain: [
    async ({ build, page }, use) => {
      const nodes = new Map<string, ChildProcess>();
      const kill: Brain['kill'] = (...ids) => ids.forEach((id) => nodes.get(id)?.kill('SIGKILL'));
      const start = async (gateway: GatewayProcess) => {
        await registerTextModel(gateway.url, ['1.0.0']);
        await use({
          gateway,
          kill,
          start(id, type, region, ...more) {
            const who = ['--id', id, '--type', type, '--region', region];
            const running = runSpikegrid('node', ...who, '--gateway', gateway.url, ...more);
            nodes.set(id, running.child);
            // It is ended by a signal; whether it came up, the screen shows.
            running.catch(() => {});
          },
        });
        // It would go on asking a platform that is gone.
        await page.close();
        kill(...nodes.keys());
      };
      await withGateway(build, start, ['--no-inference', '--no-trainer', '--no-plugins']);
    },
    { timeout: 120_000 },
  ],
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const node = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name},`) });

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
}

test('a brain in two regions loses a node and a region, and shows what it did about it', async ({
  page,
  brain: { gateway, start, kill },
}) => {
  test.setTimeout(240_000);
  const language = ['--model', TEXT_MODEL.id];
  start('pfc-1', 'pfc', HOME);
  start('lang-1', 'lang-main', HOME, ...language);
  start('hand-1', 'motor', HOME);
  start('pfc-2', 'pfc', AWAY);
  start('lang-2', 'lang-main', AWAY, ...language);
  await page.goto(`${gateway.url}/brain`);
  await expect(page.getByText('5 of 5 nodes are active.')).toBeVisible({ timeout: 90_000 });
  const answer = page.getByRole('status').filter({ hasText: 'answered in' });
  const lit = page.locator('path[data-lit]');

  await test.step('a question is answered in the region that is active', async () => {
    await ask(page, 'the quick');
    await expect(answer).toContainText('lang-1 (lang-main) answered in');
    await expect(answer).toContainText(`lang-1 is the only lang-main node to take it in ${HOME}`);
    const way = page.getByRole('button', { name: 'pfc-1 → lang-1' });
    await expect(way).toHaveAttribute('aria-pressed', 'true');
    await expect(lit).toHaveCount(1);
  });

  await test.step('what the only peer of lang-main would do falls back to lang-main', async () => {
    kill('hand-1');
    await expect(node(page, 'hand-1')).toHaveAccessibleName(/Inactive/);
    await page.getByLabel('Target module').selectOption('motor');
    await ask(page, 'the lazy');
    await expect(answer).toContainText('no motor node is active: it goes to pfc/text_prompt');
    await expect(answer).toContainText('lang-1 (lang-main) answered in');
    await expect(lit).toHaveCount(1);
    await expect(lit).toHaveClass(/fallback/);
    expect(await violations(page), 'the fallback').toEqual([]);
  });

  await test.step('what nobody of the region can do any more crosses its border', async () => {
    kill('lang-1');
    await expect(node(page, 'lang-1')).toHaveAccessibleName(/Inactive/);
    await ask(page, 'the lazy');
    await expect(answer).toContainText('lang-2 (lang-main) answered in');
    await expect(page.getByRole('button', { name: 'pfc-1 → lang-2' })).toBeVisible();
  });

  await test.step('the region dies, and another one takes over', async () => {
    kill('pfc-1');
    await page.getByRole('link', { name: 'Regions' }).click();
    const map = page.getByRole('figure', { name: 'World map' });
    await expect(map.getByText(`Requests go to ${AWAY} in epoch 2.`)).toBeVisible({
      timeout: 60_000,
    });
    const taken = page.getByRole('table', { name: 'Failovers' }).getByRole('row', { name: HOME });
    await expect(taken).toHaveCount(1);
    for (const part of [AWAY, WHY, 'automatic', 'Done']) await expect(taken).toContainText(part);
    await expect(taken.locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/);
    const change = page.getByRole('table', { name: 'Changes of state' });
    await expect(change.getByRole('row').filter({ hasText: HOME }).first()).toContainText(WHY);
    expect(await violations(page), 'the failover').toEqual([]);
  });

  await test.step('the brain answers from there', async () => {
    await page.getByRole('link', { name: 'Brain', exact: true }).click();
    await ask(page, 'the quick');
    await expect(answer).toContainText('lang-2 (lang-main) answered in');
    await expect(page.getByRole('button', { name: 'pfc-2 → lang-2' })).toBeVisible();
    await expect(lit).toHaveCount(1);
  });
});

import { connect } from 'mqtt';
import type { Page } from 'playwright/test';
import { BrainAnswered } from '../../edge/brain/endpoints.ts';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { expectAccessible } from './axe.ts';
import { expect, REFUSED, test as base } from './dashboard.ts';
import { expectRoom } from './layout.ts';
import { runSpikegrid } from './spikegrid.ts';
import { TEXT_MODEL } from './text-models.ts';

type Join = (nodeId: string, moduleType: string, region?: string) => { leave(): Promise<void> };

/**
 * Nodes that say what brain nodes say, and answer nothing; they go when the test ends. Their regions are none
 * of geo's, which would count them.
 */
const test = base.extend<{ join: Join }>({
  join: async ({ platformToFill: { url } }, use) => {
    const joined: { leave(): Promise<void> }[] = [];
    await use((nodeId, moduleType, region = 'near') => {
      const client = connect(brokerUrl({ gateway: url, region }), nodeOptions(nodeId));
      const presence = joinBrain({
        line: mqttLine(client),
        node: { nodeId, moduleType, host: 'here', regionId: region },
        usage: () => ({ cpu_percent: 25 }),
      });
      let isHere = true;
      const node = {
        async leave() {
          if (!isHere) return;
          isHere = false;
          await presence.leave();
          await client.endAsync();
        },
      };
      joined.push(node);
      return node;
    });
    await Promise.all(joined.map((node) => node.leave()));
  },
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const node = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name},`) });

test('nodes appear in the graph, are read by keyboard, and go', async ({
  page,
  join,
  expected,
  platformToFill: { url },
}) => {
  expected.push(REFUSED, /status of 5\d\d/);
  await page.goto(`${url}/brain`);
  const pfc = join('pfc-1', 'pfc');
  const visual = join('visual-1', 'visual', 'far');
  await expect(node(page, 'pfc-1')).toHaveAccessibleName(/Active, .*, pfc in near$/);
  await expect(node(page, 'visual-1')).toHaveAccessibleName(/Active, .*, visual in far$/);
  await expect(page.getByText('1 of 1 route is up.')).toBeVisible();

  await node(page, 'pfc-1').focus();
  await page.keyboard.press('ArrowRight');
  await expect(node(page, 'visual-1')).toBeFocused();
  await expect(page).toHaveURL(/\?node=visual-1$/);
  const detail = page.getByRole('region', { name: 'visual-1' });
  await expect(detail.getByText('25%')).toBeVisible();
  await expect(detail.getByRole('figure', { name: 'Health over time' })).toBeVisible();
  await expectAccessible(page, 'the graph and a node');
  await expectRoom(page, 'the graph and a node');

  await visual.leave();
  await expect(node(page, 'visual-1')).toHaveAccessibleName(/Inactive/);
  await expect(page.getByText('0 of 1 route is up.')).toBeVisible();
  await pfc.leave();
  await expect(page.getByText('0 of 2 nodes are active.')).toBeVisible();
  await page.getByLabel('Question').fill('is anybody there?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('no_healthy_instance');
});

test(
  'a question is answered, and the way it takes lights up',
  { tag: '@full' },
  async ({ page, answering }) => {
    test.setTimeout(180_000);
    const { url } = answering;
    const start = (...args: string[]) => runSpikegrid('node', '--gateway', url, ...args);
    const nodes = [
      start('--type', 'pfc', '--id', 'pfc-1'),
      start('--type', 'lang-main', '--id', 'lang-1', '--model', TEXT_MODEL.id),
    ];
    try {
      await page.goto(`${url}/brain`);
      for (const name of ['pfc-1', 'lang-1']) {
        await expect(node(page, name)).toHaveAccessibleName(/Active/, { timeout: 60_000 });
      }
      await page.getByLabel('Question').fill('the quick');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();

      await expect(page.getByText(/^lang-1 \(lang-main\) answered in/)).toBeVisible();
      const routes = page.getByRole('table', { name: 'Recent routes' });
      const way = routes.getByRole('button', { name: 'pfc-1 → lang-1' });
      await expect(way).toHaveAttribute('aria-pressed', 'true');
      await expect(page.locator('path[data-lit]')).toHaveCount(1);
      await expectAccessible(page, 'an answer and its way');
    } finally {
      for (const { child } of nodes) child.kill('SIGTERM');
      await Promise.allSettled(nodes);
    }
  },
);

/** Makes a page a node of the brain, and tells its name. */
async function runInTab(page: Page, url: string, type: string): Promise<string> {
  await page.goto(`${url}/brain`);
  const panel = page.getByRole('region', { name: 'Node in this tab' });
  await panel.getByLabel('Type of the node').selectOption(type);
  await panel.getByRole('button', { name: 'Run a node in this tab' }).click();
  await expect(panel.getByText('Running')).toBeVisible({ timeout: 60_000 });
  return panel.getByText(new RegExp(`^${type}-tab-`)).innerText();
}

/** Ten steps in which the first of 64 neurons fires each time: it votes with 2 / (64 * 0.2) for ahead. */
const AHEAD = {
  neurons: 64,
  times: 10,
  bits: Buffer.from(Array.from({ length: 80 }, (_, i) => Number(i % 8 === 0))).toString('base64'),
};

test('tabs are a brain: one routes, others answer, and one is gone when it is closed', async ({
  page,
  answering: { url },
}) => {
  const other = await page.context().newPage();
  const language = await runInTab(other, url, 'lang-main');
  const pfc = await runInTab(page, url, 'pfc');
  for (const name of [language, pfc]) {
    await expect(node(page, name)).toHaveAccessibleName(/Active/);
  }

  await page.getByLabel('Question').fill('the quick');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();

  await expect(page.getByText(`${language} (lang-main) answered in`)).toBeVisible();
  await expect(page.getByRole('button', { name: `${pfc} → ${language}` })).toBeVisible();
  const count = other.getByRole('region', { name: 'Node in this tab' });
  await expect(count).toContainText('Questions answered1');
  await expectAccessible(page, 'a node in this tab');
  await expectRoom(page, 'a node in this tab');
  await other.getByRole('button', { name: 'Stop the node' }).click();
  const hand = await runInTab(other, url, 'motor');
  await expect(node(page, hand)).toHaveAccessibleName(/Active/);
  const moved = await page.request.post(`${url}/api/brain/ask`, { data: { spikes: AHEAD } });
  const { answer } = BrainAnswered.parse(await moved.json());
  expect(answer.node_id).toBe(hand);
  expect(answer.outputs.command?.[0]).toBeCloseTo(0.15625, 4);
  expect(answer.outputs.command?.[1]).toBeCloseTo(0, 4);
  await expect(count).toContainText('Questions answered1');
  await other.close();
  await expect(node(page, hand)).toHaveAccessibleName(/Inactive/);
  await expect(node(page, language)).toHaveAccessibleName(/Inactive/);
  await page.getByRole('button', { name: 'Stop the node' }).click();
  await expect(node(page, pfc)).toHaveAccessibleName(/Inactive/);
  await expect(page.getByRole('button', { name: 'Run a node in this tab' })).toBeVisible();
});

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { NewMemoryInput } from '../../edge/memory/contract/memory.ts';
import { expectAccessible } from './axe.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { press } from './keyboard.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom } from './layout.ts';

/** A chain of three hops, said by three memories, and the words of the screen to walk it. */
const CHAINS = {
  en: {
    memories: [
      'Heavy rain caused flooding.',
      'Flooding caused a power outage.',
      'A power outage caused data loss.',
    ],
    nodes: ['Heavy rain', 'flooding', 'power outage', 'data loss'],
    question: 'what did the flooding lead to?',
    store: ['Store a memory', 'Text', 'Store', 'Store another one', 'Show it'],
    read: '1 cause was read from it.',
    tabs: ['Causes', 'Memories'],
    way: ['Path from here', 'Path to here', 'Path from cause to effect', /^3 steps, confidence/],
    open: 'Open the memory',
    panel: 'Memory',
    search: 'Search',
  },
  ja: {
    memories: [
      '大雨が洪水を引き起こした。',
      '洪水が停電を引き起こした。',
      '停電がデータの損失を引き起こした。',
    ],
    nodes: ['大雨', '洪水', '停電', 'データの損失'],
    question: '洪水は何を引き起こしたか',
    store: ['記憶を保存', '本文', '保存', '続けて保存', '表示'],
    read: '因果を 1 件読み取りました。',
    tabs: ['因果', '記憶'],
    way: ['ここからの経路', 'ここへの経路', '原因から結果への経路', /^3 ステップ、全体の確信度/],
    open: '記憶を開く',
    panel: '記憶の内容',
    search: '検索',
  },
} as const;

// Nothing moves, so that each look is at the same page.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
/** A node of the drawing by the beginning of its text. */
const node = (page: Page, text: string) =>
  page
    .getByRole('toolbar')
    .getByRole('button', { name: new RegExp(`^(?:an? |the )?${text}`, 'i') });

for (const { language, details } of LANGUAGES) {
  const words = CHAINS[language];

  test(
    `memories are stored, found, and followed over three hops: ${language}`,
    details,
    async ({ page, expected, platformToFill: { url } }) => {
      // The namespace is not there until something is stored in it.
      expected.push(REFUSED);
      await page.goto(`${url}/memory?ns=chain-${language}&lang=${language}`);
      const [open, text, store, again, show] = words.store;
      await button(page, open).first().click();
      const dialog = page.getByRole('dialog');
      for (const [index, memory] of words.memories.entries()) {
        if (index > 0) await dialog.getByRole('button', { name: again }).click();
        await dialog.getByLabel(text, { exact: true }).fill(memory);
        await dialog.getByRole('button', { name: store, exact: true }).click();
        await expect(dialog.getByText(words.read)).toBeVisible();
      }
      await expectAccessible(page, `a stored memory, ${language}`);
      await dialog.getByRole('button', { name: show, exact: true }).click();
      const panel = page.getByRole('region', { name: words.panel, exact: true });
      await expect(panel).toContainText(words.memories[2]);

      await page.getByLabel(words.search, { exact: true }).fill(words.question);
      const first = page.getByRole('table').locator('tbody tr').first();
      await expect(first).toContainText(new RegExp(words.nodes[1], 'i'));
      await expect(first.locator('strong')).toHaveText(/^0\.\d+$|^1$/);
      await expectAccessible(page, `memories found, ${language}`);
      await expectRoom(page, `memories found, ${language}`);

      await page.getByRole('tab', { name: words.tabs[0] }).click();
      const [cause, , third, effect] = words.nodes;
      await node(page, cause).focus();
      await press(page, 'ArrowRight', 3);
      await expect(node(page, effect)).toBeFocused();
      const [from, to, way, steps] = words.way;
      await button(page, to).click();
      await node(page, cause).click();
      await button(page, from).click();
      const path = page.getByRole('region', { name: way });
      await expect(path.getByText(steps)).toBeVisible();
      await expect(path.getByRole('listitem')).toHaveCount(3);
      await expect(page.locator('path[data-lit]')).toHaveCount(3);

      await path.getByRole('listitem').last().getByRole('button').click();
      const evidence = page.locator('blockquote');
      await expect(evidence).toHaveText(words.memories[2]);
      await expect(evidence.locator('mark')).toHaveCount(1);
      await expectAccessible(page, `the causal graph, ${language}`);
      await expectRoom(page, `the causal graph, ${language}`);
      await button(page, words.open).click();
      await expect(panel.locator('mark')).toHaveText(words.memories[2]);
      await expect(panel.locator('mark')).toContainText(third);

      // The address holds all of it.
      await page.reload();
      await expect(path.getByRole('listitem')).toHaveCount(3);
      await expect(page.locator('blockquote')).toHaveText(words.memories[2]);
      await expect(panel).toContainText(words.memories[2]);
    },
  );
}

async function storeAll(url: string, memories: readonly NewMemoryInput[]): Promise<void> {
  const answer = await fetch(`${url}/v1/memory/store_batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ memories }),
  });
  expect(answer.status, await answer.clone().text()).toBe(201);
}

test('memories are looked at as of another time, as JSON, exported, and deleted', async ({
  page,
  expected,
  platformToFill: { url },
}) => {
  expected.push(REFUSED);
  const namespace = 'times';
  const said = (content: string, day: number, user_id: string): NewMemoryInput => ({
    content,
    namespace,
    user_id,
    tags: ['plant'],
    occurred_at: `2026-01-0${day}T00:00:00Z`,
  });
  await storeAll(url, [
    said('Dust caused clogged filters.', 1, 'ann'),
    said('Clogged filters caused overheating.', 3, 'ben'),
  ]);
  await page.goto(`${url}/memory?ns=${namespace}`);
  const rows = page.getByRole('table').locator('tbody tr');
  await expect(rows).toHaveCount(2);

  await page.getByLabel('As of').focus();
  await page.keyboard.press('Home');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/at=2026-01-01/);
  await page.getByRole('tab', { name: 'Causes' }).click();
  await page.getByRole('radio', { name: 'Table' }).check();
  await expect(rows).toHaveCount(1);
  await button(page, 'Now').click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('radio', { name: 'JSON' }).check();
  const shown = JSON.parse((await page.locator('pre').textContent()) ?? '') as { links: unknown[] };
  expect(shown.links).toHaveLength(2);
  await page.getByRole('radio', { name: 'Graph' }).check();
  await page.getByLabel('Start from', { exact: true }).fill('dust');
  await page.getByLabel('Hops').fill('1');
  await button(page, 'Show: Start from').click();
  await expect(page.getByRole('toolbar').getByRole('button')).toHaveCount(2);
  // Nodes that are not shown are still found by their text.
  await page.getByLabel('Path from', { exact: true }).fill('overheat');
  await expect(page.locator('datalist option', { hasText: 'overheating' })).toBeAttached();
  await node(page, 'clogged').click();
  await button(page, 'Show its neighbours').click();
  await expect(page.getByRole('toolbar').getByRole('button')).toHaveCount(3);

  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByLabel('User', { exact: true }).fill('ben');
  await expect(rows).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export ben' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  const lines = file.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ content: 'Clogged filters caused overheating.' });

  await rows.first().getByRole('button').click();
  await button(page, 'Delete').click();
  await button(page, 'Delete permanently').click();
  await expect(page.getByText('The memory is deleted.')).toBeVisible();
  await expect(page.getByText('No memory matches')).toBeVisible();
  await button(page, 'Show all current memories').click();
  await expect(rows).toHaveCount(1);
});

test('a user is erased by keyboard, once his name is written', async ({
  page,
  platformToFill: { url },
}) => {
  const said = (content: string, user_id: string, namespace = 'kept') => ({
    content,
    namespace,
    user_id,
  });
  await storeAll(url, [said('One.', 'eva'), said('Two.', 'eva'), said('Three.', 'ben')]);
  await storeAll(url, [said('Four.', 'eva', 'other')]);
  await page.goto(`${url}/memory?ns=kept&tab=forget`);
  await page.getByLabel('User', { exact: true }).fill('eva');
  await expect(page.getByText('2 memories of eva.')).toBeVisible();
  await page.getByLabel('All namespaces').check();
  await expect(page.getByText('3 memories of eva.')).toBeVisible();

  await button(page, 'Erase …').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Erase eva?' });
  await expect(dialog.getByText('Memories in other', { exact: true })).toBeVisible();
  const confirm = dialog.getByLabel('Type eva to confirm');
  await confirm.fill('Eva');
  await expect(dialog.getByText('This is not eva.')).toBeVisible();
  await page.keyboard.press('Enter');
  const go = dialog.getByRole('button', { name: 'Delete permanently' });
  await expect(go).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'asking before a user is erased');
  await confirm.fill('eva');
  await page.keyboard.press('Enter');
  await expect(page.getByText('eva is erased, with 3 memories.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  for (const namespace of ['kept', 'other']) {
    const left = await fetch(`${url}/v1/memory/memories?namespace=${namespace}&user_id=eva`);
    expect(await left.json()).toMatchObject({ total: 0 });
  }
});

test('a namespace is deleted by keyboard, once its name is written: ja', async ({
  page,
  platformToFill: { url },
}) => {
  await storeAll(url, [{ content: '大雨が洪水を引き起こした。', namespace: 'dropped' }]);
  await page.goto(`${url}/memory?ns=dropped&tab=forget&lang=ja`);
  await button(page, 'dropped を削除…').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'dropped を削除しますか?' });
  await expect(dialog.getByText('因果の辺', { exact: true })).toBeVisible();
  await expectAccessible(page, 'asking before a namespace is deleted, ja');
  await expectRoom(page, 'asking before a namespace is deleted, ja');
  await dialog.getByLabel('確認のため dropped と入力してください').fill('dropped');
  await page.keyboard.press('Enter');
  await expect(page.getByText('dropped を削除しました。記憶 1 件も削除しました。')).toBeVisible();
  await expect(page).not.toHaveURL(/ns=/);
  await expect(page.locator('select option', { hasText: 'dropped' })).toHaveCount(0);
  expect((await fetch(`${url}/v1/memory/stats?namespace=dropped`)).status).toBe(404);
});

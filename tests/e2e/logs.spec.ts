import { readFile } from 'node:fs/promises';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { visit } from './visit.ts';

interface Said {
  readonly message: string;
  readonly level?: string;
  readonly source?: string;
  readonly data?: object;
}

async function publish(url: string, logs: readonly Said[]): Promise<void> {
  for (let i = 0; i < logs.length; i += 250) {
    const answer = await fetch(`${url}/distributed_brain/publish_logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ logs: logs.slice(i, i + 250) }),
    });
    expect(answer.status).toBe(202);
  }
}

const many = (count: number, word: string): Said[] =>
  Array.from({ length: count }, (_, i) => ({ message: `${word} ${i}`, source: word }));

for (const { language, details } of LANGUAGES) {
  test(
    `lines, one of them in detail, and the counters: ${language}`,
    details,
    async ({ page, platformToFill: { url } }) => {
      const source = `axe-${language}`;
      const levels = ['debug', 'info', 'warn', 'error', 'critical'];
      await publish(
        url,
        levels.map((level) => ({ message: `発火 ${level}`, level, source, data: { level } })),
      );
      await page.goto(`${url}/logs?source=${source}&lang=${language}`);
      const list = page.getByRole('log');
      await expect(list.getByRole('button')).toHaveCount(levels.length);

      await list.focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');

      await expect(page.locator('pre')).toContainText('"level": "error"');
      await expectAccessibleIn(language, page, 'the log');
      await page.goto(`${url}/brain/metrics?lang=${language}`);
      await expect(page.getByRole('figure')).toHaveCount(2);
      await expectAccessibleIn(language, page, 'the counters');
    },
  );
}

test('new lines are shown at the end, until one scrolls up to read', async ({
  page,
  platformToFill: { url },
}) => {
  await publish(url, many(900, 'tail'));
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`${url}/logs?source=tail`);
  const list = page.getByRole('log');
  await expect(list.getByText('tail 899', { exact: true })).toBeInViewport();
  // However many lines there are, few of them are elements.
  expect(await list.getByRole('button').count()).toBeLessThanOrEqual(80);
  await publish(url, [{ message: 'the newest', source: 'tail' }]);
  await expect(list.getByText('the newest')).toBeInViewport();

  await list.hover();
  await page.mouse.wheel(0, -5_000);
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  const seen = await list.getByRole('button').nth(20).textContent();
  await publish(url, many(3, 'tail'));
  await expect(page.getByText('904 lines')).toBeVisible();

  expect(await list.getByRole('button').nth(20).textContent()).toBe(seen);
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect(list.getByText('tail 2', { exact: true })).toBeInViewport();
});

test('lines are searched by text and expression, counted, copied and saved', async ({
  page,
  context,
  platformToFill: { url },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await publish(url, [
    ...many(20, 'find'),
    { message: '膜電位 high', source: 'find', level: 'warn' },
  ]);
  await page.goto(`${url}/logs?source=find`);
  const search = page.getByRole('searchbox', { name: 'Find' });

  await search.fill('ＨＩＧＨ');
  await expect(page.getByText('1 hit in 21 lines')).toBeVisible();
  await page.getByRole('radio', { name: 'Regex' }).check();
  await search.fill('^find 1\\d$');
  await expect(page.getByText('10 hits in 21 lines')).toBeVisible();
  await expect(page).toHaveURL(/mode=regex/);
  await page.getByRole('log').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Copy as JSON' }).click();
  await expect(page.getByText('Copied')).toBeVisible();

  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ type: 'log', message: 'find 10', source: 'find' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(saved.trim().split('\n')).toHaveLength(10);
  await search.fill('[');
  await expect(page.getByText('This is not a regular expression.')).toBeVisible();
});

test('after a cut the log goes on with what came meanwhile, once', async ({
  page,
  platformToFill: { url },
}) => {
  await page.addInitScript(keepSockets);
  await publish(url, many(3, 'cut'));
  await page.goto(`${url}/logs?source=cut`);
  await expect(page.getByText('3 lines')).toBeVisible();

  await page.evaluate(() => (globalThis as never as { cut: () => void }).cut());
  await publish(url, [{ message: 'meanwhile', source: 'cut' }]);

  await expect(page.getByText('4 lines')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('log').getByText('meanwhile')).toHaveCount(1);
});

/** Runs in the page: `cut` ends the WebSockets there are, as a network that goes away does. */
function keepSockets(): void {
  const sockets: WebSocket[] = [];
  const { WebSocket: Plain } = globalThis;
  globalThis.WebSocket = class extends Plain {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      sockets.push(this);
    }
  };
  Object.assign(globalThis, { cut: () => sockets.forEach((socket) => socket.close()) });
}

test('a screen that is left while its socket connects leaves no complaint in the console', async ({
  page,
  platformToFill: { url },
}) => {
  // Every socket is left at once: the page goes on to another screen as it makes one.
  await page.addInitScript(() => {
    const Own = WebSocket;
    window.WebSocket = class extends Own {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        queueMicrotask(() => history.pushState(null, '', '/settings'));
      }
    };
  });
  await page.goto(`${url}/settings`);
  for (let turn = 0; turn < 5; turn++) {
    const socket = page.waitForEvent('websocket');
    await visit(page, '/logs');
    const made = await socket;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (!made.isClosed()) await made.waitForEvent('close');
  }
});

import { expectAccessible } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom } from './layout.ts';

const WORDS = {
  en: {
    open: 'Register a sensor',
    fields: ['Name', 'Unit'],
    register: 'Register',
    none: 'Nothing measured yet.',
    spikes: 'Spikes of the readings',
    ranges: ['Last hour', 'From – to', 'From', 'To (empty: now)', 'Live'],
    past: ['5 readings.', 'No readings in this time', /Readings of this time/],
    remove: ['Delete', /^Delete room-en\?$/],
  },
  ja: {
    open: 'センサーを登録',
    fields: ['名前', '単位'],
    register: '登録',
    none: 'まだ測定されていません。',
    spikes: '測定値のスパイク',
    ranges: ['直近 1 時間', '期間を指定', '開始', '終了 (空欄なら現在)', 'ライブ'],
    past: ['測定値 5 件。', 'この期間の測定値はありません', /この期間の測定値/],
    remove: ['削除', /^room-ja を削除しますか/],
  },
} as const;

// Nothing moves, so that each look is at the same page.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function send(url: string, sensor: string, values: readonly number[]): Promise<void> {
  const answer = await fetch(`${url}/v1/sensor/sensors/${sensor}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ readings: values.map((value) => ({ value })) }),
  });
  expect(answer.status, await answer.clone().text()).toBe(202);
}

for (const { language, details } of LANGUAGES) {
  const words = WORDS[language];

  test(
    `a sensor is registered, measures live, and is deleted: ${language}`,
    details,
    async ({ page, platformToFill: { url } }) => {
      const sensor = `room-${language}`;
      await page.goto(`${url}/sensors?lang=${language}`);
      await page.getByRole('button', { name: words.open }).first().click();
      const dialog = page.getByRole('dialog');
      const [name, unit] = words.fields;
      await dialog.getByLabel(name, { exact: true }).fill('no good name');
      await expect(dialog.getByLabel(name, { exact: true })).toHaveAttribute(
        'aria-invalid',
        'true',
      );
      await expectAccessible(page, `registering a sensor, ${language}`);
      await dialog.getByLabel(name, { exact: true }).fill(sensor);
      await dialog.getByLabel(unit, { exact: true }).fill('°C');
      await dialog.getByRole('button', { name: words.register, exact: true }).click();

      const panel = page.getByRole('region', { name: sensor, exact: true });
      await expect(panel.getByText(words.none)).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`sensor=${sensor}`));
      // Delta code of half a degree: the jump up is a spike of ON, the one down of OFF.
      await send(url, sensor, [20, 20, 21, 21, 19.5]);
      await expect(panel.getByText('19.5 °C')).toBeVisible();
      const raster = panel.getByRole('figure', { name: words.spikes });
      await raster.getByRole('radio').last().check();
      const counts = raster.locator('tbody tr');
      await expect(counts).toHaveCount(2);
      for (const row of await counts.all())
        await expect(row.locator('td').first()).toHaveText(/[1-9]/);
      await expectAccessible(page, `a sensor, ${language}`);
      await expectRoom(page, `a sensor, ${language}`);

      const [hour, span, from, to, live] = words.ranges;
      const [count, nothing, table] = words.past;
      await panel.getByRole('radio', { name: hour }).check();
      await expect(panel.getByText(count).first()).toBeVisible();
      const rows = panel.getByRole('table', { name: table }).locator('tbody tr');
      await expect(rows).toHaveCount(5);
      await expect(rows.first()).toContainText('19.5 °C');
      await expectAccessible(page, `what a sensor measured, ${language}`);
      await expectRoom(page, `what a sensor measured, ${language}`);
      await panel.getByRole('radio', { name: span }).check();
      await panel.getByLabel(from, { exact: true }).fill('2026-01-01T10:00:00');
      await panel.getByLabel(to, { exact: true }).fill('2026-01-01T11:00:00');
      await expect(panel.getByText(nothing)).toBeVisible();

      // The address holds which time is looked at.
      await expect(page).toHaveURL(/from=2026-01-01.*to=2026-01-01/);
      await page.reload();
      await expect(panel.getByText(nothing)).toBeVisible();
      await expect(panel.getByLabel(from, { exact: true })).toHaveValue('2026-01-01T10:00');
      await panel.getByRole('radio', { name: live }).check();
      await expect(panel.getByText('19.5 °C')).toBeVisible();
      const [remove, title] = words.remove;
      await panel.getByRole('button', { name: remove, exact: true }).click();
      const asking = page.getByRole('dialog', { name: title });
      await asking.getByRole('button', { name: remove, exact: true }).click();
      await expect(panel).toHaveCount(0);
      await expect(page.getByRole('button', { name: sensor, exact: true })).toHaveCount(0);
    },
  );
}

import type { Page } from 'playwright/test';
import { expectAccessible } from './axe.ts';
import { press } from './keyboard.ts';
import { expect, showTheme, test } from './parts-page.ts';

const held = (page: Page) => page.getByTestId('held');

test.describe('a number field', () => {
  test('passes on what its rule allows, and says what it expected otherwise', async ({ page }) => {
    await page.goto('/?show=kit');
    const field = page.getByRole('textbox', { name: 'Epochs' });
    await expect(field).toHaveAccessibleDescription('How often all data are seen');

    await field.fill('１２');
    await expect(held(page)).toContainText('"epochs":12');

    await field.fill('1000');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/Enter a whole number from 1 to 100\.$/);
    await expect(held(page)).toContainText('"epochs":12');
    // What was typed stays in sight, to be put right.
    await field.blur();
    await expect(field).toHaveValue('1000');
  });

  test('steps with the arrow keys, without the dust of binary fractions', async ({ page }) => {
    await page.goto('/?show=kit');
    await page.getByRole('textbox', { name: 'Learning rate' }).focus();
    await press(page, 'ArrowUp', 3);

    await expect(held(page)).toContainText('"rate":0.004');
    await press(page, 'ArrowDown', 9);
    await expect(held(page)).toContainText('"rate":0,');
  });
});

test('a text area holds no more than it may', async ({ page }) => {
  await page.goto('/?show=kit');
  await page.getByRole('textbox', { name: 'Note' }).pressSequentially('twelve chars');

  await expect(held(page)).toContainText('"note":"twelve cha"');
});

test('a progress bar says how far it is, in numbers and in words', async ({ page }) => {
  await page.goto('/?show=kit');
  const bar = page.getByRole('progressbar', { name: 'Training' });

  await expect(bar).toHaveJSProperty('value', 0.3);
  await expect(bar).toHaveAttribute('aria-valuetext', 'step 120 of 400');
});

test.describe('a dialog', () => {
  test('keeps the focus inside and gives it back', async ({ page }) => {
    await page.goto('/?show=kit');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete it?' });
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('textbox', { name: 'Note' })).not.toBeFocused();

    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete' })).toBeFocused();
  });

  test('closes with a click beside it, not with one inside', async ({ page }) => {
    await page.goto('/?show=kit');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');

    await dialog.getByText('It cannot be brought back.').click();
    await expect(dialog).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
  });
});

test('the controls are accessible in both themes, with an error and a dialog', async ({ page }) => {
  await page.goto('/?show=kit');
  await page.getByRole('textbox', { name: 'Epochs' }).fill('none');
  await expectAccessible(page, 'an error', showTheme);

  await page.getByRole('button', { name: 'Delete' }).click();
  await expectAccessible(page, 'a dialog', showTheme);
});

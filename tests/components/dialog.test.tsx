import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Button } from '../../web/ui/Button.tsx';
import { Dialog } from '../../web/ui/Dialog.tsx';
import { expectAccessible, render } from './render.tsx';

function Question() {
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  return (
    <>
      <input aria-label="Note" />
      <Button tone="danger" onClick={() => setDialog('open')}>
        Delete
      </Button>
      {dialog === 'open' && (
        <Dialog title="Delete it?" onClose={() => setDialog('closed')}>
          <p>It cannot be recovered.</p>
        </Dialog>
      )}
    </>
  );
}

async function open() {
  render(<Question />);
  await page.getByRole('button', { name: 'Delete' }).click();
  return page.getByRole('dialog', { name: 'Delete it?' });
}

describe('a dialog', () => {
  it('traps the focus and restores it', async () => {
    const dialog = await open();
    await expect.element(dialog.getByRole('button', { name: 'Close' })).toHaveFocus();
    await expectAccessible();
    await userEvent.tab({ shift: true });
    expect(document.activeElement?.getAttribute('aria-label')).not.toBe('Note');

    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Delete' })).toHaveFocus();
  });

  it('closes with a click beside it, not with one inside', async () => {
    const dialog = await open();
    await dialog.getByText('It cannot be recovered.').click();
    await expect.element(dialog).toBeVisible();

    const element = dialog.element();
    element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await expect.element(dialog).not.toBeInTheDocument();
  });
});

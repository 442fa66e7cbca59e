import { useEffect } from 'react';

/** A key together with Ctrl, or with the command key of a Mac. */
interface Shortcut {
  readonly key: string;
  readonly shift?: true;
}

export const SHORTCUTS = {
  train: { key: 'Enter' },
  step: { key: '.' },
  write: { key: 'Enter', shift: true },
  save: { key: 's' },
} as const satisfies Readonly<Record<string, Shortcut>>;

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** As it is written on the keyboard: Ctrl+Shift+Enter. */
export function shortcutText({ key, shift }: Shortcut): string {
  const name = key.length === 1 ? key.toUpperCase() : key;
  return [isMac ? '⌘' : 'Ctrl', shift && 'Shift', name].filter(Boolean).join('+');
}

/** As `aria-keyshortcuts` takes it. */
export function ariaShortcut({ key, shift }: Shortcut): string {
  const keys = (modifier: string) => [modifier, shift && 'Shift', key].filter(Boolean).join('+');
  return `${keys('Control')} ${keys('Meta')}`;
}

/** Does `action` when the keys are pressed anywhere on the page, unless a dialog is open. */
export function useShortcut({ key, shift }: Shortcut, action: (() => void) | undefined): void {
  useEffect(() => {
    if (!action) return undefined;
    const press = (event: KeyboardEvent) => {
      const isPressed =
        event.key.toLowerCase() === key.toLowerCase() &&
        (event.ctrlKey || event.metaKey) &&
        event.shiftKey === (shift ?? false);
      if (!isPressed || event.isComposing || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [key, shift, action]);
}

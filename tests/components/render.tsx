import axe from 'axe-core';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect } from 'vitest';
import { createText } from '../../web/i18n/text.ts';
import { TextContext } from '../../web/i18n/text-context.ts';
import '../../web/styles/tokens.css';
import '../../web/styles/base.css';

const text = createText('en', 'UTC');
let mounted: { readonly root: Root; readonly container: HTMLElement } | undefined;

/** Shows a component on an empty page, in English and the light theme. Unmounted after the test. */
export function render(component: ReactNode): void {
  document.documentElement.lang = text.language;
  showTheme('light');
  const container = document.body.appendChild(document.createElement('main'));
  const root = createRoot(container);
  mounted = { root, container };
  root.render(<TextContext value={text}>{component}</TextContext>);
}

afterEach(() => {
  mounted?.root.unmount();
  mounted?.container.remove();
  mounted = undefined;
});

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Expects that axe finds nothing in the component, in either theme. */
export async function expectAccessible(): Promise<void> {
  for (const theme of ['light', 'dark']) {
    showTheme(theme);
    // eslint-disable-next-line no-await-in-loop -- a page shows one theme at a time
    const { violations } = await axe.run('main', { runOnly: { type: 'tag', values: TAGS } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((one) => one.html)}`)).toEqual([]);
  }
}

function showTheme(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
}

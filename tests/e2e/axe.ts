import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds, in a line each. */
export async function violations(page: Page): Promise<string[]> {
  // No page here has frames, for which alone axe would open another page for its results.
  const found = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

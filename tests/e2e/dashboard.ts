import { expect, type Page, test as base } from 'playwright/test';
import { platforms, type WorkerFixtures } from './platforms.ts';

export interface TestFixtures {
  /** Messages of the browser's console that a test expects: it adds to them what may come. */
  readonly expected: RegExp[];
  /** Fails the test when its page said anything unexpected or asked another origin. */
  readonly watch: void;
}

/** Tests against the real dashboard, served by the real gateway. `page.goto('/')` is the overview. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  ...platforms,
  baseURL: async ({ platform }, use) => {
    await use(platform.url);
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  expected: async ({}, use) => {
    await use([]);
  },
  watch: [
    async ({ page, expected }, use) => {
      const complaints = listen(page);
      await use();
      const unexpected = complaints.filter((text) => !expected.some((known) => known.test(text)));
      expect(unexpected, 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
});

/** Errors, warnings (a broken security policy is one), uncaught exceptions and foreign requests. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = hostname === '127.0.0.1' || protocol === 'blob:' || protocol === 'data:';
    if (!isOwn) complaints.push(`a request to ${request.url()}`);
  });
  return complaints;
}

/** The browser's console message for a response with a 4xx status, which a page may expect. */
export const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** The browser's console message for a request without a response. */
export const UNREACHABLE = /Failed to load resource: net::ERR_/;

export { expect };

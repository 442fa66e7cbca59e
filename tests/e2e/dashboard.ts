import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test as base } from 'playwright/test';
import { dashboardFolder, partsFolder } from './build-pages.ts';
import { ALONE, type GatewayProcess, startGateway } from './gateway-process.ts';
import { registerModels } from './models.ts';

export interface ClosedPlatform {
  readonly url: string;
  /** The key that its first start has made. */
  readonly key: string;
}

/** Each is made when a test first asks for it, and kept for all tests after it. */
export interface WorkerFixtures {
  /** The folder of the dashboard, built from web/ as it is now. */
  readonly build: string;
  /** A platform with models in its registry. */
  readonly platform: GatewayProcess;
  /** A platform as it is after the first start. */
  readonly emptyPlatform: GatewayProcess;
  /** A platform for tests that register models of their own. */
  readonly platformToFill: GatewayProcess;
  /** A platform that asks everybody for credentials. */
  readonly closedPlatform: ClosedPlatform;
  /** A page with parts of the dashboard, under the same policy as the dashboard. */
  readonly partsPage: GatewayProcess;
}

export interface TestFixtures {
  /** Messages of the browser's console that a test expects: it adds to them what may come. */
  readonly expected: RegExp[];
  /** Fails the test when its page said anything unexpected or asked another origin. */
  readonly watch: void;
}

/** Tests against the real dashboard, served by the real gateway. `page.goto('/')` is the overview. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  build: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs
    async ({}, use) => {
      await use(dashboardFolder());
    },
    { scope: 'worker' },
  ],
  platform: [
    async ({ build }, use) => {
      const start = async (gateway: GatewayProcess) => {
        await registerModels(gateway.url);
        await use(gateway);
      };
      await withGateway(build, start, ALONE);
    },
    { scope: 'worker' },
  ],
  emptyPlatform: [
    async ({ build }, use) => {
      await withGateway(build, use, ALONE);
    },
    { scope: 'worker' },
  ],
  platformToFill: [
    async ({ build }, use) => {
      await withGateway(build, use, ['--no-inference', '--no-plugins']);
    },
    { scope: 'worker' },
  ],
  closedPlatform: [
    async ({ build }, use) => {
      const start = async ({ url }: GatewayProcess, state: string) =>
        use({ url, key: readFileSync(join(state, 'bootstrap-key'), 'utf8').trim() });
      await withGateway(build, start, [...ALONE, '--auth', 'required']);
    },
    { scope: 'worker' },
  ],
  partsPage: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      await withGateway(partsFolder(), use, ALONE);
    },
    { scope: 'worker' },
  ],
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

async function withGateway(
  dashboard: string,
  use: (gateway: GatewayProcess, state: string) => Promise<void>,
  options: readonly string[],
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
  const gateway = await startGateway(dashboard, state, options);
  try {
    await use(gateway, state);
  } finally {
    await gateway.stop();
    rmSync(state, { recursive: true });
  }
}

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

/** What the browser says about an answer with an error status, which a page may well expect. */
export const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** What the browser says about a request without an answer. */
export const UNREACHABLE = /Failed to load resource: net::ERR_/;

export { expect };

import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

// `npm test` unpacks Chromium and says where; its SwiftShader lies beside it.
const browser = process.env['SPIKEGRID_CHROMIUM'];
if (!browser) throw new Error('SPIKEGRID_CHROMIUM is not set: run the tests with `npm test`');

/** Pages are tested in the Chromium that comes inside an npm package, with WebGPU on the CPU. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/build-pages.ts',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  // Other suites run beside it on the same two cores.
  expect: { timeout: 15_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: join(browser, 'chromium'),
      args: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--no-sandbox'],
      env: {
        ...(process.env as Record<string, string>),
        LD_LIBRARY_PATH: `${join(browser, 'lib')}:${browser}`,
      },
    },
  },
});

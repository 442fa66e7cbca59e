import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

// `npm test` unpacks Chromium and says where; its SwiftShader lies beside it.
const browser = process.env['SPIKEGRID_CHROMIUM'];
if (!browser) throw new Error('SPIKEGRID_CHROMIUM is not set: run the tests with `npm test`');

/** `npm test` leaves the files *.full.spec.ts and tests tagged @full to `npm run test:full`, which runs these alone. */
const LONG = /\.full\.spec\.ts|@full\b/;
const isFull = process.env['SPIKEGRID_TESTS'] === 'full';

/** Pages are tested in the Chromium that comes inside an npm package, with WebGPU on the CPU. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/build-pages.ts',
  outputDir: 'test-results',
  // A worker takes the next file when it is done with one, and keeps the platforms that it has started.
  workers: 1,
  ...(isFull ? { grep: LONG } : { grepInvert: LONG }),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: join(browser, 'chromium'),
      args: [
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
        '--no-sandbox',
        // Pages are drawn by the processor either way: this one is shorter.
        '--disable-gpu-compositing',
        '--disable-gpu-rasterization',
      ],
      env: {
        ...(process.env as Record<string, string>),
        LD_LIBRARY_PATH: `${join(browser, 'lib')}:${browser}`,
      },
    },
  },
});

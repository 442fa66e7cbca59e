import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

// `npm test` unpacks Chromium and says where; its SwiftShader lies beside it.
const browser = process.env['SPIKEGRID_CHROMIUM'];
if (!browser) throw new Error('SPIKEGRID_CHROMIUM is not set: run the tests with `npm test`');

/**
 * The specs in two halves of about equal time, for a worker each: no platform of tests/e2e/platforms.ts
 * but the plain one is asked for by both, as starting one takes seconds.
 */
const FILLING = [
  'alerts',
  'brain',
  'connection',
  'gateway',
  'jobs',
  'keys',
  'lab-families',
  'lab-files',
  'logs',
  'memory',
  'metrics',
  'models',
  'models-manage',
  'playground',
  'regions',
  'sensors',
  'test-runs',
  'train-recover',
  'trainers',
].map((name) => `**/${name}?(.full).spec.ts`);

/** `npm test` leaves the files *.full.spec.ts to `npm run test:full`, which then runs these alone. */
const isFull = process.env['SPIKEGRID_TESTS'] === 'full';
const LEFT_OUT = isFull ? /^(?!.*\.full\.spec\.ts$)/ : /\.full\.spec\.ts$/;

/** Pages are tested in the Chromium that comes inside an npm package, with WebGPU on the CPU. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/build-pages.ts',
  outputDir: 'test-results',
  workers: 1,
  projects: [
    { name: 'filling', testMatch: FILLING, testIgnore: LEFT_OUT, workers: 1 },
    { name: 'looking', testIgnore: [...FILLING, LEFT_OUT], workers: 1 },
  ],
  timeout: 120_000,
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

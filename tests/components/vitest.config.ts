import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

// `npm test` unpacks Chromium and says where; the libraries it needs lie beside it.
const browser = process.env['SPIKEGRID_CHROMIUM'] ?? '';

/** Components are tested in the Chromium that comes inside an npm package, each on a page of its own. */
// eslint-disable-next-line import/no-default-export -- what vitest reads
export default defineConfig({
  root,
  plugins: [react()],
  // Found late, they would reload the page under a running test.
  optimizeDeps: {
    include: ['@tanstack/react-query', 'axe-core', 'react', 'react-dom/client', 'zod/mini'],
  },
  test: {
    name: 'components',
    include: ['tests/components/**/*.test.tsx'],
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      viewport: { width: 1000, height: 800 },
      provider: playwright({
        contextOptions: { locale: 'en-US', timezoneId: 'UTC' },
        launchOptions: {
          executablePath: join(browser, 'chromium'),
          args: ['--no-sandbox'],
          env: {
            ...(process.env as Record<string, string>),
            LD_LIBRARY_PATH: `${join(browser, 'lib')}:${browser}`,
          },
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

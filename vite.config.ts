import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const project = (name: string, extra: object = {}) => ({
  test: { name, root: '.', include: [`tests/${name}/**/*.test.ts`], ...extra },
});

/** The dashboard's build (`web/` to `dist/web/`) and the test projects, one per folder under tests/. */
export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, manifest: true },
  worker: { format: 'es' },
  test: {
    root: '.',
    // Two cores: kernels and workerd each want one.
    maxWorkers: 2,
    projects: [
      project('engine', {
        setupFiles: ['tests/engine/setup.ts'],
        pool: 'forks',
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('edge', { testTimeout: 30_000, hookTimeout: 60_000 }),
      project('compute', { pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 }),
      project('web'),
    ],
  },
});

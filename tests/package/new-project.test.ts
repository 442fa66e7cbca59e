import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { type App, installPacked, nodes } from './packed-app.ts';

/** The last words of each training script, and of its page once there is a model. */
const TRAINED = {
  classifier: {
    prints: /accuracy (?:9\d|100)\.\d %\n$/,
    page: 'opened model.safetensors',
    leaves: 'run/report.html',
  },
  text: {
    prints: /step 1500: loss 0\.\d+ nats/,
    page: 'opened model/',
    leaves: 'model/manifest.json',
  },
  events: {
    prints: /accuracy (?:9\d|100)\.\d %\n$/,
    page: 'opened model.safetensors',
    leaves: 'run/report.html',
  },
  neuron: {
    prints: /accuracy (?:9\d|100)\.\d %\n$/,
    page: 'trained here: accuracy',
    leaves: 'run/report.html',
  },
} as const;
const TEMPLATES = Object.keys(TRAINED) as (keyof typeof TRAINED)[];

describe('spikegrid new, from the packed library in an empty folder', () => {
  let app: App;
  let browser: Browser | undefined;
  const npm = (folder: string, ...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const make = (name: string, template: string) =>
    npm(app.folder, 'exec', '--offline', '--', 'spikegrid', 'new', name, '--template', template);
  beforeAll(async () => {
    app = installPacked();
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    app.remove();
  });

  test('there are no other templates', () => {
    const packed = readdirSync(join(app.folder, 'node_modules/spikegrid/templates'));
    expect(packed.toSorted()).toEqual(['shared', ...TEMPLATES].toSorted());
  });

  describe.each(TEMPLATES)('the template %s', (name) => {
    // The folder of a project need not be called as its template.
    const project = name === 'text' ? 'writes-on' : `my-${name}`;
    let folder: string;
    beforeAll(() => {
      folder = join(app.folder, project);
      expect(make(project, name)).toContain('npm start');
      npm(folder, 'install', '--offline', '--no-audit', '--no-fund', '--silent');
    });

    test.each([...nodes])('passes its own tests with Node %s', (_, node) => {
      const said = execFileSync(node, ['--test'], { cwd: folder, encoding: 'utf8' });
      expect(said).toMatch(/pass [1-9]\d*\n/);
      expect(said).toMatch(/fail 0\n/);
    });

    test('trains to a figure, and its page opens the model', async () => {
      expect(npm(folder, 'run', '--silent', 'train')).toMatch(TRAINED[name].prints);
      expect(existsSync(join(folder, TRAINED[name].leaves))).toBe(true);
      expect(await textOfPage(folder, TRAINED[name].page)).toContain(TRAINED[name].page);
    });
  });

  test('spikegrid compare reads runs without the platform', () => {
    mkdirSync(join(app.folder, 'a-run'));
    app.write('a-run/metrics.jsonl', '{"kind":"train","step":7,"loss":0.5}\n');
    const said = npm(app.folder, 'exec', '--offline', '--', 'spikegrid', 'compare', 'a-run');
    expect(said).toMatch(/\nloss, best +0\.5 at step 7 \*\n/);
  });

  test('a page without a stored model trains in the tab, and shows what a drawing is', async () => {
    const folder = join(app.folder, 'in-the-tab');
    make('in-the-tab', 'classifier');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', '--silent');
    expect(existsSync(join(folder, 'model.safetensors'))).toBe(false);

    const text = await textOfPage(folder, 'trained here', async (page) => {
      // A bar across the middle.
      const box = (await page.locator('canvas').boundingBox()) ?? { x: 0, y: 0, width: 0 };
      const y = box.y + box.width / 2;
      await page.mouse.move(box.x + box.width * 0.25, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, y, { steps: 20 });
      await page.mouse.up();
      await page.locator('tr:has-text("bar") >> text=▮▮').waitFor();
    });
    expect(text).toMatch(/trained here: accuracy (?:9\d|100)/);
    const [most] = text
      .split('\n')
      .filter((line) => line.includes('▮'))
      .toSorted((a, b) => b.length - a.length);
    expect(most).toMatch(/^bar/);
  });

  test('nothing outside the folder and no hidden file is served', async () => {
    const folder = join(app.folder, 'served-files');
    make('served-files', 'classifier');
    app.write('outside.txt', 'not for the page');
    await served(folder, async (address) => {
      const statusOf = async (path: string) => (await fetch(`${address}${path}`)).status;
      expect(await statusOf('data.js')).toBe(200);
      expect(await statusOf('..%2foutside.txt')).toBe(404);
      expect(await statusOf('data.js%2f..%2f..%2foutside.txt')).toBe(404);
      expect(await statusOf('.gitignore')).toBe(404);
      expect(await statusOf('%00')).toBe(404);
      expect(await statusOf('%')).toBe(404);
    });
  });

  /** The text of the page of a project once it says so, and after `act` where there is one. */
  async function textOfPage(
    folder: string,
    until: string,
    act?: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<void>,
  ): Promise<string> {
    return served(folder, async (address) => {
      if (!browser) throw new Error('the browser did not start');
      const page = await browser.newPage();
      try {
        await page.goto(address);
        await page.locator('#status', { hasText: until }).waitFor({ timeout: 40_000 });
        await act?.(page);
        return await page.locator('body').innerText();
      } finally {
        await page.close();
      }
    });
  }
});

/** Runs `npm start` in a folder while `use` has the address of its page. */
async function served<T>(folder: string, use: (address: string) => Promise<T>): Promise<T> {
  // Without npm in between, whose child would outlive it.
  const [program = '', ...args] = npmStart(folder);
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, PORT: '0' } });
  try {
    return await use(await firstLine(child));
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

const npmStart = (folder: string): string[] =>
  execFileSync('npm', ['pkg', 'get', 'scripts.start'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .replaceAll('"', '')
    .split(' ');

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the server ended without an address');
}

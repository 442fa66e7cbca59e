import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { type EvaluationReport, parseReport } from '../../engine/index.ts';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom, lengthen } from './layout.ts';
import { runSpikegrid } from './spikegrid.ts';

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-evaluate-'));
const text = join(folder, 'foxes.txt');
const run = join(folder, 'run');
let report: EvaluationReport;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  const sentences =
    'the quick brown fox jumps over the lazy dog.\nshe sells sea shells by the sea shore.\n';
  writeFileSync(text, sentences.repeat(60));
  await runSpikegrid(
    'train',
    '--dataset',
    text,
    '--output',
    run,
    '--preset',
    'tiny',
    '--steps',
    '20',
  );
  const output = join(folder, 'report.json');
  await runSpikegrid('evaluate', '--model', run, '--data', text, '--output', output);
  report = parseReport('report.json', readFileSync(output, 'utf8'));
});

test.afterAll(() => rmSync(folder, { recursive: true }));

const lastCheckpoint = (of: string) =>
  readdirSync(of).findLast((name) => name.startsWith('checkpoint-'))!;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The file inputs of the panels, in their order: model, data, reports. */
const input = (page: Page, place: 0 | 1 | 2) => page.locator('input[type=file]').nth(place);

const jsonFile = (name: string, value: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(value)),
});

/** A report of a classifier, as another family writes it. */
function classifierReport(): EvaluationReport {
  const { language, ...rest } = report;
  const { interval, calibration } = language!;
  return {
    ...rest,
    unit: 'image',
    created_at: '2026-11-21T12:00:00.000Z',
    model: { ...report.model, name: 'shapes' },
    classification: {
      count: 10,
      accuracy: 0.7,
      interval: { ...interval, value: 0.7, low: 0.4, high: 0.9 },
      balanced_accuracy: 0.71,
      macro_f1: 0.69,
      labels: ['circle', 'square', 'star'],
      matrix: [
        [3, 1, 0],
        [0, 2, 0],
        [2, 0, 2],
      ],
      classes: [0.75, 1, 0.5].map((recall) => ({ support: 4, precision: 0.6, recall, f1: null })),
      calibration,
    },
  };
}

test('a model is judged in the tab as on the command line, and compared with its report', async ({
  page,
}) => {
  await page.goto('/evaluate?device=wasm');
  const bar = page.getByRole('region', { name: 'Evaluation' });
  await expect(bar).toContainText('Choose a model and data first.');
  const checkpoint = join(run, lastCheckpoint(run));
  await input(page, 0).setInputFiles(readdirSync(checkpoint).map((name) => join(checkpoint, name)));
  await input(page, 1).setInputFiles(text);
  await button(page, 'Evaluate').click();

  const figures = page.getByRole('table', { name: 'Figures' });
  const row = (label: string) => figures.getByRole('row', { name: new RegExp(`^${label}`) });
  await expect(row('Evaluated')).toContainText('504 of 504');
  await input(page, 2).setInputFiles(join(folder, 'report.json'));
  await expect(figures.getByRole('columnheader')).toHaveCount(3);
  const loss = report.language!.nats_per_character.toFixed(4);
  await expect(row('Nats per character').getByRole('cell')).toHaveText([loss, loss]);
  await expect(page.getByRole('figure', { name: 'Loss along the text' })).toContainText('A: ');
  await expect(page.getByRole('figure', { name: 'Energy, estimated in three ways' })).toContainText(
    'nJ',
  );
  await expect(
    page.getByText(/only below a firing rate of .* fires at [\d.]+%, (below|above) it\./),
  ).toHaveCount(2);

  // They are there on the next visit, and the address says which are compared.
  await expect(page).toHaveURL(/shown=\d+-[0-9a-f]+%2C\d+-[0-9a-f]+/);
  await page.reload();
  await expect(figures.getByRole('columnheader')).toHaveCount(3);
  await page.getByRole('button', { name: 'Compare run', exact: true }).last().click();
  await expect(figures.getByRole('columnheader')).toHaveCount(2);
});

test('a model of pictures is judged in the tab, and stands beside one of text', async ({
  page,
}) => {
  const [data, model] = [join(folder, 'pictures'), join(folder, 'vision')];
  writePictures(data);
  await runSpikegrid(
    ...['train', '--architecture', 'spiking_vision', '--dataset', data, '--output', model],
    ...['--output-dim', '2', '--model-variant', 'mlp', '--batch-size', '8', '--steps', '30'],
  );
  await page.goto('/evaluate?device=wasm');
  const checkpoint = join(model, lastCheckpoint(model));
  await input(page, 0).setInputFiles(readdirSync(checkpoint).map((name) => join(checkpoint, name)));
  await input(page, 1).setInputFiles(readdirSync(data).map((name) => join(data, name)));
  await button(page, 'Evaluate').click();

  const figures = page.getByRole('table', { name: 'Figures' });
  await expect(figures.getByRole('row', { name: /^Accuracy/ })).toContainText('100%');
  await expect(figures.getByRole('row', { name: /^Evaluated/ })).toContainText('10 of 10');
  await expect(page.getByRole('figure', { name: /^Confusion/ })).toContainText('10 of 10');
  await input(page, 2).setInputFiles(join(folder, 'report.json'));
  await expect(figures.getByRole('columnheader')).toHaveCount(3);
  const energy = page.getByRole('figure', { name: 'Energy, estimated in three ways' });
  await expect(energy).toContainText('A: ');
  await expect(energy).toContainText('B: run, spiking');
});

/** Pictures of 8 x 8 pixels in IDX files: bright above is class 0, below is class 1. */
function writePictures(place: string): void {
  mkdirSync(place);
  for (const [part, count] of [
    ['train', 40],
    ['t10k', 10],
  ] as const) {
    const labels = Array.from({ length: count }, (_, i) => i % 2);
    const pixels = labels.flatMap((label, i) =>
      Array.from({ length: 64 }, (_, at) => (at >> 5 === label ? 200 : 20) + (i % 50)),
    );
    const name = (kind: string) => join(place, `${part}-${kind}-ubyte`);
    writeFileSync(
      name('images-idx3'),
      Uint8Array.from([0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 8, 0, 0, 0, 8, ...pixels]),
    );
    writeFileSync(name('labels-idx1'), Uint8Array.from([0, 0, 8, 1, 0, 0, 0, count, ...labels]));
  }
}

test('what cannot be judged or opened is said', async ({ page }) => {
  await page.goto('/evaluate?device=wasm');
  await input(page, 2).setInputFiles(jsonFile('other.json', { step: 3 }));
  await expect(page.getByRole('alert')).toContainText('other.json is no evaluation report');
  await input(page, 0).setInputFiles(jsonFile('config.json', {}));
  await input(page, 1).setInputFiles(text);
  await button(page, 'Evaluate').click();
  await expect(page.getByRole('alert').last()).toContainText('manifest.json is missing');
});

for (const { language, details } of LANGUAGES) {
  test(
    `reports side by side are accessible and have room: ${language}`,
    details,
    async ({ page }) => {
      await page.goto(`/evaluate?lang=${language}`);
      await input(page, 2).setInputFiles([
        jsonFile('text.json', report),
        jsonFile('shapes.json', classifierReport()),
      ]);
      await expect(page.getByRole('figure')).toHaveCount(5);
      await expectAccessibleIn(language, page, 'an evaluation');
      await expectRoom(page, language);
      if (language === 'en') {
        await lengthen(page);
        await expectRoom(page, 'longer');
      }
    },
  );
}

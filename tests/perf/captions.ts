import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { createCaptionGatherer } from '../../engine/data/captions/caption-batches.ts';
import {
  type CaptionModel,
  traceCaptionRun,
} from '../../engine/models/captioning/caption-model.ts';
import {
  type CaptionFigures,
  captionFigures,
  pairCosts,
  startCaptionRun,
} from '../../engine/models/captioning/caption-run.ts';
import {
  imageInput,
  multimodalSpecOf,
  multimodalStructure,
} from '../../engine/models/spiking-multimodal/family.ts';
import {
  augmentation,
  type CaptionData,
  captionModelOf,
  training as multimodalFamily,
} from '../../engine/models/spiking-multimodal/training.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { floatCaptions } from './caption-transformer.ts';
import { note, report } from './report.ts';

/**
 * Whether a captioning model uses its images: the loss behind the right image against that behind
 * another one, and retrieval among all held-out images. Run by hand:
 *
 *   captions.ts --data DIR [--key en|ja] [--model spiking|float] [--seeds 5] [--first-seed 1]
 *               [--epochs 100] [--threads 1]
 *
 * DIR is a folder as `train --architecture spiking_multimodal` takes it. One line of JSON for each figure;
 * the time of the runs goes to standard error, as the machine is shared.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    key: { type: 'string', default: 'en' },
    model: { type: 'string', default: 'spiking' },
    seeds: { type: 'string', default: '5' },
    'first-seed': { type: 'string', default: '1' },
    epochs: { type: 'string', default: '100' },
    threads: { type: 'string', default: '1' },
  },
});

/** Characters of a caption with its end: one English caption in twenty is cut, no Japanese one. */
const SEQUENCE = { en: 24, ja: 18 } as const;
/** Nats a token of the best n-gram without pictures (data/README.md). */
const FLOOR = { en: 1.57, ja: 3.366 } as const;
/** The spiking model learns at four times the rate at which the float one is stable. */
const LEARNING_RATE = values.model === 'float' ? 1e-3 : 4e-3;
type Language = keyof typeof SEQUENCE;

if (values.data === undefined)
  note('captions: SKIPPED, say --data DIR where pictures and captions lie');
else await show(values.data, values.key === 'ja' ? 'ja' : 'en');

function settingsFor(language: Language, seed: number): RunSettings {
  const fields = {
    d_model: 64,
    n_heads: 4,
    num_blocks: 2,
    time_steps: 2,
    caption_seq_len: SEQUENCE[language],
    caption_key: language,
  };
  const budget = { kind: 'epochs', epochs: Number(values.epochs) } as const;
  return {
    architecture: 'spiking_multimodal',
    fields,
    batch: 16,
    learningRate: LEARNING_RATE,
    seed,
    budget,
  };
}

async function show(folder: string, language: Language): Promise<void> {
  const files = await openData(folder);
  const data = await multimodalFamily.openData(files, settingsFor(language, 0));
  const backend = await openWasmBackend({ threads: Number(values.threads) });
  const first = Number(values['first-seed']);
  const all: CaptionFigures[] = [];
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    all.push(await trained(backend, data, settingsFor(language, seed)));
  }
  backend.close();
  await files.close();
  reportAll(language, data.set.test.length, all);
}

/** Trains one model and evaluates it on all held-out pairs. */
async function trained(
  backend: Backend,
  data: CaptionData,
  settings: RunSettings,
): Promise<CaptionFigures> {
  const structure = multimodalStructure(settings, data.shape);
  const spiking = captionModelOf(structure);
  const isFloat = values.model === 'float';
  const model = isFloat ? floatCaptions(structure, spiking.dropout) : spiking;
  const run = await startCaptionRun(
    { backend, settings, controls: stableBaseline },
    {
      ...data,
      model,
      augmentation,
      patch: imageInput.patch,
      spec: (reference) => multimodalSpecOf(structure, reference),
    },
  );
  const started = performance.now();
  await run.advance(run.totalSteps ?? 0);
  const seconds = (performance.now() - started) / 1000;
  const figures = await ask(backend, data, { model, values: await run.parameters() });
  run.close();
  const found = figures.picturesOfCaptions;
  note(
    `captions: seed ${settings.seed}, ${model.layout.count} parameters, ${seconds.toFixed(0)} s by the clock: ` +
      `right ${figures.right.toFixed(4)}, shuffled ${figures.shuffled.toFixed(4)} nats a token, ` +
      `recall at 1, 5, 10 ${percents(found.recallAt)}, median rank ${found.medianRank}`,
  );
  return figures;
}

async function ask(
  backend: Backend,
  { set, tokenizer }: CaptionData,
  { model, values: parameters }: { readonly model: CaptionModel; readonly values: Float32Array },
): Promise<CaptionFigures> {
  const batch = set.test.length;
  const { evaluate } = traceCaptionRun(model, batch, stableBaseline);
  const shape = { batch, sequence: model.sequence, patch: imageInput.patch };
  const gatherer = createCaptionGatherer({ set, tokenizer, shape, augmentation });
  const player = await backend.load(model.layout, [evaluate.program]);
  player.write(model.layout.values, parameters);
  const costs = await pairCosts({ player, evaluate, gatherer }, set.test);
  player.close();
  return captionFigures(costs, batch >> 1);
}

function reportAll(language: Language, pairs: number, all: readonly CaptionFigures[]): void {
  const what = `captions (${language}), ${values.model}, ${values.epochs} epochs, ${all.length} seeds`;
  const gaps = all.map(({ right, shuffled }) => shuffled - right);
  const error = standardError(gaps);
  const nats = { unit: 'nats a token', better: 'higher' } as const;
  const saved = { name: `${what}: what the right picture saves`, value: mean(gaps) };
  report({ ...saved, target: 2 * error, ...nats });
  const right = all.map((one) => one.right);
  report({
    name: `${what}: loss behind the right picture (standard error ${standardError(right).toFixed(4)})`,
    value: mean(right),
    unit: 'nats a token',
    target: FLOOR[language],
    better: 'lower',
  });
  for (const k of [1, 10]) {
    for (const way of ['picturesOfCaptions', 'captionsOfPictures'] as const) {
      const shares = all.map((one) => 100 * (one[way].recallAt.get(k) ?? 0));
      report({
        name: `${what}: ${way === 'picturesOfCaptions' ? 'pictures' : 'captions'} among the first ${k} (standard error ${standardError(shares).toFixed(2)})`,
        value: mean(shares),
        unit: '%',
        // Thrice what guessing finds.
        target: (300 * k) / pairs,
        better: 'higher',
      });
    }
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0) / numbers.length;
}

/** Of the mean; NaN for a single number, which says nothing about it. */
function standardError(numbers: readonly number[]): number {
  const centre = mean(numbers);
  const squares = numbers.reduce((sum, one) => sum + (one - centre) ** 2, 0);
  return Math.sqrt(squares / (numbers.length - 1) / numbers.length);
}

function percents(recall: ReadonlyMap<number, number>): string {
  return [...recall.values()].map((share) => `${(100 * share).toFixed(1)} %`).join(', ');
}

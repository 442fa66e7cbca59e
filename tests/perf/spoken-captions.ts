import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { blobSource } from '../../engine/data/files/byte-source.ts';
import { createCaptionGatherer } from '../../engine/data/captions/caption-batches.ts';
import type { DataFiles } from '../../engine/data/files/data-files.ts';
import { captionCosts } from '../../engine/models/captioning/caption-run.ts';
import { traceCaptionRun } from '../../engine/models/captioning/caption-model.ts';
import { imageInput, multimodalStructure } from '../../engine/models/spiking-multimodal/family.ts';
import {
  augmentation,
  type CaptionData,
  captionModelOf,
  training as multimodalFamily,
} from '../../engine/models/spiking-multimodal/training.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import type { TrainingRun } from '../../engine/train/run.ts';
import { note, report } from './report.ts';

/**
 * Captions of sounds: recordings of spoken digits, each captioned with the word that is said. Run by hand:
 * `spoken-captions.ts --data DIR [--epochs 30] [--seed 1] [--threads 1]`; in DIR lie `recordings/` and
 * `index.csv` of the Free Spoken Digit Dataset. Every speaker is in both parts of its split.
 */
const WORDS = 'zero one two three four five six seven eight nine'.split(' ');
/** Right answers of the nearest centroid, in % (data/README.md). */
const TARGET = 74.67;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    epochs: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '1' },
  },
});
const settings: RunSettings = {
  architecture: 'spiking_multimodal',
  fields: { d_model: 64, n_heads: 4, num_blocks: 2, time_steps: 2, caption_seq_len: 6 },
  batch: 16,
  learningRate: 4e-3,
  seed: Number(values.seed),
  budget: { kind: 'epochs', epochs: Number(values.epochs) },
};

if (values.data === undefined) note('spoken captions: SKIPPED, say --data DIR where FSDD lies');
else await show(values.data);

async function show(folder: string): Promise<void> {
  const files = await withCaptions(await openData(folder));
  const data = await multimodalFamily.openData(files, settings);
  const backend = await openWasmBackend({ threads: Number(values.threads) });
  const run = await multimodalFamily.createRun(
    { backend, settings, controls: stableBaseline },
    data,
  );
  const started = performance.now();
  await run.advance(run.totalSteps ?? 0);
  const { loss, figures } = await run.validate();
  note(
    `spoken captions: ${((performance.now() - started) / 1000).toFixed(0)} s by the clock, ` +
      `${loss.toFixed(4)} nats a character behind the right sound, ` +
      `${figures?.['shuffled_loss']?.toFixed(4)} behind another`,
  );
  report({
    name: `spoken digits captioned, ${data.set.train.length} clips, ${values.epochs} epochs, seed ${values.seed}: the word said is the cheapest of ten`,
    value: 100 * (await accuracy(run, data)),
    unit: '%',
    target: TARGET,
    better: 'higher',
  });
  run.close();
  backend.close();
  await files.close();
}

/** The files with a JSONL file of what is said in each. */
async function withCaptions(folder: DataFiles): Promise<DataFiles> {
  const index = folder.files.find(({ path }) => path === 'index.csv');
  if (!index) throw new Error(`${folder.name} has no index.csv`);
  const source = await index.open();
  const text = new TextDecoder().decode(await source.read(0, source.size));
  const lines = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [file, digit, , , split] = line.split(',');
      return JSON.stringify({ audio: `recordings/${file}`, caption: WORDS[Number(digit)], split });
    });
  const blob = new Blob([lines.join('\n')]);
  const path = 'captions.jsonl';
  const listing = { path, size: blob.size, open: async () => blobSource(blob, path) };
  return { ...folder, files: [...folder.files, listing] };
}

/** Share of clips behind which the caption of their own word costs least. */
async function accuracy(run: TrainingRun, { set, tokenizer, shape }: CaptionData): Promise<number> {
  const model = captionModelOf(multimodalStructure(settings, shape));
  const backend = await openWasmBackend({ threads: Number(values.threads) });
  const { evaluate } = traceCaptionRun(model, 100, stableBaseline);
  const player = await backend.load(model.layout, [evaluate.program]);
  player.write(model.layout.values, await run.parameters());
  const size = { batch: 100, sequence: model.sequence, patch: imageInput.patch };
  const gatherer = createCaptionGatherer({ set, tokenizer, shape: size, augmentation });
  const words = WORDS.map((word) => set.captions.indexOf(word));
  const captions = set.test.flatMap(() => words);
  const inputs = set.test.flatMap((clip) => words.map(() => clip));
  const { nats } = await captionCosts({ player, evaluate, gatherer }, { captions, inputs });
  player.close();
  backend.close();
  const right = set.test.filter((clip, i) => {
    const costs = [...nats.subarray(i * WORDS.length, (i + 1) * WORDS.length)];
    return WORDS[costs.indexOf(Math.min(...costs))] === set.captions[clip];
  });
  return right.length / set.test.length;
}

import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { families } from '../../engine/models/families.ts';
import { PRESET_NAMES } from '../../engine/settings/recipes.ts';
import { training as memoriedFamily } from '../../engine/models/memoried-spikenetlm/training.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { note, report } from './report.ts';

/**
 * Whether memoried_spikenetlm learns streams of captions and image codes: its validation loss against that of
 * token frequencies. Run by hand:
 *
 *   memoried.ts --data DIR [--key en|ja] [--preset small] [--epochs 30] [--seed 1] [--threads 1]
 *
 * DIR is a folder as `train --architecture memoried_spikenetlm` takes it. One line of JSON for each figure.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    key: { type: 'string', default: 'en' },
    preset: { type: 'string', default: 'small' },
    epochs: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '1' },
  },
});

/** Steps between two looks, and looks between two notes. */
const STRIDE = 31;
const LOOKS = 6;

if (values.data === undefined)
  note('memoried: SKIPPED, say --data DIR where pictures and captions lie');
else await show(values.data);

function settingsFor(): RunSettings {
  const name = PRESET_NAMES.find((known) => known === values.preset);
  if (!name) throw new Error(`there is no preset ${values.preset}`);
  const preset = families.memoried_spikenetlm.presets[name];
  const { batch, learningRate, fields } = preset;
  return {
    architecture: 'memoried_spikenetlm',
    fields: { ...fields, caption_key: values.key },
    batch,
    learningRate,
    seed: Number(values.seed),
    budget: { kind: 'epochs', epochs: Number(values.epochs) },
  };
}

async function show(folder: string): Promise<void> {
  const settings = settingsFor();
  const files = await openData(folder);
  const backend = await openWasmBackend({ threads: Number(values.threads) });
  const opening = performance.now();
  const data = await memoriedFamily.openData(files, settings);
  note(`${data.length} pairs read and coded in ${secondsSince(opening)} s`);
  const run = await memoriedFamily.createRun({ backend, settings, controls: stableBaseline }, data);
  const steps = run.totalSteps ?? 0;
  const started = performance.now();
  for (let done = 0; done < steps; done += STRIDE) {
    await run.advance(Math.min(STRIDE, steps - done));
    if ((done / STRIDE) % LOOKS > 0) continue;
    const { loss, figures = {} } = await run.validate();
    note(`step ${run.step()} of ${steps}: ${loss.toFixed(4)} ${JSON.stringify(figures)}`);
  }
  note(`${run.layout.count} parameters, ${steps} steps in ${secondsSince(started)} s by the clock`);
  const { loss, figures = {} } = await run.validate();
  run.close();
  backend.close();
  await files.close();
  const what = `streams (${values.key}), ${values.preset}, ${values.epochs} epochs`;
  const against = (name: string, value = Number.NaN, target = Number.NaN) =>
    report({ name: `${what}: ${name}`, value, unit: 'nats a token', target, better: 'lower' });
  against('all tokens, against their frequencies', loss, figures['unigram_loss']);
  for (const modality of ['text', 'image']) {
    const name = `${modality} tokens, against their frequencies in ${modality}`;
    against(name, figures[`${modality}_loss`], figures[`${modality}_unigram`]);
  }
  report({
    name: `${what}: class of a whole stream, against the commonest`,
    value: 100 * (figures['class_accuracy'] ?? Number.NaN),
    unit: '%',
    target: 100 * (figures['class_majority'] ?? Number.NaN),
    better: 'higher',
  });
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}

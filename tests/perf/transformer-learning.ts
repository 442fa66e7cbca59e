import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  blobSource,
  familyDescriptions,
  loadFamily,
  openBackend,
  type RunSettings,
  singleFile,
  stableBaseline,
} from '../../engine/index.ts';
import { note, report } from './report.ts';

/**
 * Validation loss of standard_transformer on tinyshakespeare after three minutes of training on WASM, nats
 * a character on windows of the last tenth, each without context. Run by hand: `transformer-learning.ts
 * [--minutes 3] [--steps N] [--batch 16] [--rate 3e-3] [--threads 2] [--seed 1]`; with `--steps` the
 * schedule goes by steps, so that a machine that others use learns the same.
 */
const TARGET = 1.65;
const STRIDE = 50;
const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const text = join(process.env['SPIKEGRID_DATA'] ?? shared, 'text/tinyshakespeare.txt');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    steps: { type: 'string' },
    batch: { type: 'string' },
    rate: { type: 'string' },
    width: { type: 'string' },
    blocks: { type: 'string' },
    sequence: { type: 'string' },
    beta2: { type: 'string' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
if (existsSync(text)) await show();
else note(`transformer: SKIPPED, there is no ${text}: set SPIKEGRID_DATA`);
// The threads would keep the process.
process.exit(0);

function settingsAskedFor(): RunSettings {
  const { fields, batch, learningRate } = familyDescriptions.standard_transformer.presets['small']!;
  const { width, blocks, sequence } = values;
  return {
    architecture: 'standard_transformer',
    fields: {
      ...fields,
      ...(width && { d_model: Number(width) }),
      ...(blocks && { num_blocks: Number(blocks) }),
      ...(sequence && { seq_len: Number(sequence) }),
    },
    batch: Number(values.batch ?? batch),
    learningRate: Number(values.rate ?? learningRate),
    seed: Number(values.seed),
    budget: values.steps
      ? { kind: 'steps', steps: Number(values.steps) }
      : { kind: 'minutes', minutes: Number(values.minutes) },
  };
}

async function show(): Promise<void> {
  const settings = settingsAskedFor();
  const controls = { ...stableBaseline, ...(values.beta2 && { beta2: Number(values.beta2) }) };
  const threads = Number(values.threads);
  const backend = await openBackend('wasm', { gpu: undefined, threads });
  const family = await loadFamily(settings.architecture);
  const files = singleFile(blobSource(await openAsBlob(text), text));
  const data = await family.openData(files, settings);
  const run = await family.createRun({ backend, settings, controls }, data);
  const started = performance.now();
  while (run.progress() < 1) {
    const { losses, tokensPerSecond } = await run.advance(STRIDE);
    const loss = losses.reduce((sum, one) => sum + one, 0) / losses.length;
    note(
      `transformer: step ${run.step()}, ${(run.step() * run.itemsPerStep) / 1e6} M characters, ` +
        `training loss ${loss.toFixed(3)}, ${tokensPerSecond.toFixed(0)} characters/s`,
    );
  }
  const seconds = (performance.now() - started) / 1000;
  const { loss } = await run.validate();
  const millions = (run.step() * run.itemsPerStep) / 1e6;
  report({
    name:
      `tinyshakespeare, standard_transformer, ${millions.toFixed(2)} M characters in ` +
      `${seconds.toFixed(0)} s, WASM, ${threads} threads`,
    value: loss,
    unit: 'nats a character',
    target: TARGET,
    better: 'lower',
  });
}

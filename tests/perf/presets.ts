import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import {
  type Architecture,
  ARCHITECTURES,
  type Budget,
  chooseSettings,
  familyDescriptions,
  loadFamily,
  openBackend,
  PRESET_NAMES,
  type PresetName,
  type RunSettings,
  runControls,
  settleSettings,
  type TrainingRun,
} from '../../engine/index.ts';
import { note, report } from './report.ts';

/**
 * Every family with every preset after a few minutes of training, held against the best of its floors on the same
 * validation data; base and large of a text against the frequencies of its tokens. Nothing else is given.
 *
 *   npm run bench -- --only presets     3 minutes each on two threads: two hours
 *   node tests/perf/presets.ts --minutes 0.5 --families dense_chronospike --presets tiny,auto --threads 1
 *   node tests/perf/presets.ts --seconds 200 --threads 1   so much time of a processor each, on a machine that others use
 */
const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    families: { type: 'string', default: ARCHITECTURES.join(',') },
    presets: { type: 'string', default: PRESET_NAMES.join(',') },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
/** Of a processor; in place of minutes. */
const processorSeconds = given.seconds === undefined ? undefined : Number(given.seconds);
const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const data = process.env['SPIKEGRID_DATA'] ?? shared;

const CAPTIONS = ['captions/noto-emoji-32', { caption_key: 'en' }] as const;
const DATA: Readonly<Record<Architecture, readonly [path: string, fields?: object]>> = {
  dense_chronospike: ['text/tinyshakespeare.txt'],
  standard_transformer: ['text/tinyshakespeare.txt'],
  sparse_event_memory: ['text/tinyshakespeare.txt'],
  spiking_vision: ['mnist'],
  spiking_audio: ['fsdd'],
  spiking_multimodal: CAPTIONS,
  memoried_spikenetlm: CAPTIONS,
};
const PROBED_STEPS = 2;
/** Too large to know pairs of tokens after three minutes of a processor. */
const SLOW: ReadonlySet<PresetName> = new Set(['base', 'large']);

const backend = await openBackend('wasm', { gpu: undefined, threads: Number(given.threads) });
for (const architecture of ARCHITECTURES.filter((one) => given.families.split(',').includes(one))) {
  const path = join(data, DATA[architecture][0]);
  const presets = PRESET_NAMES.filter((one) => given.presets.split(',').includes(one));
  if (existsSync(path)) for (const preset of presets) await measure(architecture, preset);
  else note(`${architecture}: SKIPPED, there is no ${path}: set SPIKEGRID_DATA`);
}
// The threads would keep the process.
process.exit(0);

/** The settings of a run of which nothing but the preset is given. */
function askedOf(architecture: Architecture, preset: PresetName): RunSettings {
  const [, fields = {}] = DATA[architecture];
  const recipe = familyDescriptions[architecture].presets[preset];
  return chooseSettings({
    architecture,
    fields: { ...fields },
    seed: Number(given.seed),
    budget: { kind: 'minutes', minutes: Number(given.minutes) },
    ...(preset !== 'auto' && { taken: { name: preset, recipe, why: 'it is measured' } }),
  });
}

async function measure(architecture: Architecture, preset: PresetName): Promise<void> {
  const family = await loadFamily(architecture);
  const first = askedOf(architecture, preset);
  const files = await openData(join(data, DATA[architecture][0]));
  const opened = await family.openData(files, first);
  const { settings } = await settleSettings(first, { family, backend, data: opened });
  const controls = runControls('auto', settings);
  const open = (budget: Budget) =>
    family.createRun({ backend, settings: { ...settings, budget }, controls }, opened);
  const run = await open(processorSeconds === undefined ? settings.budget : await stepsIn(open));
  while (run.progress() < 1) await run.advance(1);
  await reportRun(run, preset);
  run.close();
  await opened.close?.();
  await files.close();
}

/** Floors of a model that learns, and of a large one after three minutes. */
const FLOORS = ['bigram', 'linear'];
const FLOORS_OF_SLOW = ['unigram', 'linear'];

async function reportRun(run: TrainingRun, preset: PresetName) {
  const { architecture, chosen } = run.settings;
  const { loss, figures } = await run.validate();
  const names = SLOW.has(preset) ? FLOORS_OF_SLOW : FLOORS;
  const floor = (await run.floors()).find(({ name }) => names.includes(name));
  if (!floor) return;
  const isLoss = floor.figure === 'loss';
  const reached = isLoss ? loss : (figures?.['accuracy'] ?? Number.NaN);
  const recipe = String(chosen?.['recipe']?.value);
  report({
    name: `${architecture}, ${preset} (${recipe}), ${run.step()} steps, against ${floor.name}`,
    value: reached,
    unit: isLoss ? 'nats a token' : 'of the answers right',
    target: floor.value,
    better: isLoss ? 'lower' : 'higher',
  });
}

/** The steps that so much time of a processor is enough for. */
async function stepsIn(open: (budget: Budget) => Promise<TrainingRun>): Promise<Budget> {
  const probe = await open({ kind: 'steps', steps: 1000 });
  await probe.advance(1);
  const began = process.cpuUsage().user;
  await probe.advance(PROBED_STEPS);
  const each = (process.cpuUsage().user - began) / 1e6 / PROBED_STEPS;
  probe.close();
  const steps = Math.max(1, Math.round((processorSeconds ?? 0) / each));
  return { kind: 'steps', steps };
}

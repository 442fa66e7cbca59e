import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type * as Wasm from '../../engine/backends/wasm/wasm-backend.ts';
import type * as Engine from '../../engine/index.ts';
import type { Backend, DataFiles, RunData, RunSettings, TrainingRun } from '../../engine/index.ts';
import type * as Controls from '../../engine/settings/controls.ts';
import { colouredPng, dataFiles, jsonLines } from '../engine/captioned-files.ts';
import { bandedPictures, dataSet } from '../engine/data-sets.ts';
import { NOVEL } from '../engine/novel.ts';
import { note, report } from './report.ts';

/**
 * Every family beside another checkout: the mean loss of the last steps of 300, over three seeds, and the time of a training step.
 * Both train the same small model in turns of a few steps, on one thread, so that what else the machine does
 * slows both; the times are those that a quarter of the turns stays below.
 *
 *   npm run bench -- --only families --before DIR    DIR: a checkout whose WASM kernels are built
 *   node tests/perf/families.ts --before DIR --families LIF,spiking_audio
 */
const { values: given } = parseArgs({
  options: {
    before: { type: 'string' },
    families: { type: 'string' },
    steps: { type: 'string', default: '300' },
  },
});
const STEPS = Number(given.steps);
/** A network may grow apart by its last bits: losses are means over these. */
const SEEDS = [1, 2, 3] as const;
/** Steps of a turn: a few milliseconds. */
const TURN = 5;
/** Steps at the end whose losses are averaged. */
const LAST = 50;
const MAX_LOSS = 0.005;
const MAX_TIME = 1.03;

type Asked = Pick<RunSettings, 'architecture' | 'fields'> & { readonly data: DataFiles };

const novel = dataFiles({ 'chapter_1.txt': readFileSync(NOVEL) });
const bands = bandedPictures(240, 24);
const trunk = { d_model: 32, n_heads: 2, num_blocks: 1, time_steps: 4, seq_len: 32 };

const FAMILIES: Readonly<Record<string, Asked>> = {
  'dense_chronospike, LIF': { architecture: 'dense_chronospike', fields: trunk, data: novel },
  'dense_chronospike, EvoLIF': {
    architecture: 'dense_chronospike',
    fields: { ...trunk, neuron_type: 'EvoLIF' },
    data: novel,
  },
  'dense_chronospike, Izhikevich': {
    architecture: 'dense_chronospike',
    fields: { ...trunk, neuron_type: 'Izhikevich' },
    data: novel,
  },
  standard_transformer: {
    architecture: 'standard_transformer',
    fields: { d_model: 32, n_heads: 2, num_blocks: 1, seq_len: 32 },
    data: novel,
  },
  sparse_event_memory: {
    architecture: 'sparse_event_memory',
    fields: {
      ...{ d_model: 32, num_blocks: 2, seq_len: 16, density: 0.25, codebook_rank: 8 },
      ...{ experts: 2, top_k: 1, adapter_rank: 2 },
    },
    data: novel,
  },
  'spiking_vision, conv': {
    architecture: 'spiking_vision',
    fields: { output_dim: 3, time_steps: 4, model_variant: 'conv' },
    data: bands,
  },
  'spiking_vision, mlp': {
    architecture: 'spiking_vision',
    fields: { output_dim: 3, time_steps: 4, model_variant: 'mlp' },
    data: bands,
  },
  spiking_audio: {
    architecture: 'spiking_audio',
    fields: {
      ...{ output_neurons: 3, mfcc_features: 12, mfcc_seq_len: 10, time_steps: 2 },
      synthetic: true,
    },
    data: dataSet('nothing', {}),
  },
  spiking_multimodal: {
    architecture: 'spiking_multimodal',
    fields: { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, caption_seq_len: 6 },
    data: colouredPictures(),
  },
  memoried_spikenetlm: {
    architecture: 'memoried_spikenetlm',
    fields: {
      ...{ d_model: 48, num_blocks: 1, caption_seq_len: 5, image_patch: 4, image_codes: 12 },
      ...{ density: 0.1, codebook_rank: 32, adapter_rank: 4 },
    },
    data: colouredPictures(),
  },
};

/** Pictures of three colours in eight shades, with their colour as caption. */
function colouredPictures(): DataFiles {
  const colours = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230] } as const;
  const pairs = Object.entries(colours).flatMap(([caption, colour]) =>
    Array.from({ length: 8 }, (_, shade) => {
      const image = `${caption}-${shade}.png`;
      const split = shade % 4 === 2 ? 'test' : 'train';
      return {
        picture: [image, colouredPng(colour, shade / 2)] as const,
        line: { image, caption, split },
      };
    }),
  );
  const lines = jsonLines(pairs.map(({ line }) => line));
  const pictures = pairs.map(({ picture }) => picture);
  return dataFiles({ 'captions.jsonl': lines, ...Object.fromEntries(pictures) });
}

/** The parts of a checkout that a run needs. */
async function openTree(root: URL) {
  const load = <M>(path: string): Promise<M> => import(new URL(path, root).href);
  const { openWasmBackend } = await load<typeof Wasm>('engine/backends/wasm/wasm-backend.ts');
  const { loadFamily } = await load<typeof Engine>('engine/index.ts');
  const { stableBaseline } = await load<typeof Controls>('engine/settings/controls.ts');
  const backend: Backend = await openWasmBackend({ threads: 1 });
  return { backend, loadFamily, controls: stableBaseline };
}
type Tree = Awaited<ReturnType<typeof openTree>>;

interface Opened {
  readonly run: TrainingRun;
  readonly data: RunData;
  readonly losses: number[];
  readonly turns: number[];
}

async function openRun(
  { backend, loadFamily, controls }: Tree,
  asked: Asked,
  seed: number,
): Promise<Opened> {
  const { architecture, fields, data: files } = asked;
  const family = await loadFamily(architecture);
  const settings = {
    ...{ architecture, fields, batch: 8, learningRate: 0.01, seed },
    budget: { kind: 'steps', steps: STEPS },
    // The record of a checkout's own families is narrower than the name.
  } as Parameters<typeof family.createRun>[0]['settings'];
  const data = await family.openData(files, settings);
  const run = await family.createRun({ backend, settings, controls }, data);
  return { run, data, losses: [], turns: [] };
}

async function takeTurn({ run, losses, turns }: Opened): Promise<void> {
  const started = performance.now();
  losses.push(...(await run.advance(TURN)).losses);
  turns.push(performance.now() - started);
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

interface Trained {
  readonly loss: number;
  readonly turns: readonly number[];
}

/** A run in each checkout, from the same numbers and over the same examples. */
async function trainBoth(
  trees: readonly [Tree, Tree],
  asked: Asked,
  seed: number,
): Promise<[Trained, Trained]> {
  const [then, now] = [
    await openRun(trees[0], asked, seed),
    await openRun(trees[1], asked, seed),
  ] as const;
  for (let turn = 0; turn * TURN < STEPS; turn++) {
    const pair = turn % 2 === 0 ? [then, now] : [now, then];
    for (const one of pair) await takeTurn(one);
  }
  for (const { run, data } of [then, now]) {
    run.close();
    await data.close?.();
  }
  // Compilers replace what runs often in the first third.
  const trained = ({ losses, turns }: Opened) => ({
    loss: mean(losses.slice(-LAST)),
    turns: turns.slice(turns.length / 3),
  });
  return [trained(then), trained(now)];
}

/** The time that a quarter of the turns stays below, by step. */
function quickStep(runs: readonly Trained[]): number {
  const turns = runs.flatMap(({ turns: ms }) => ms).toSorted((a, b) => a - b);
  return (turns[turns.length >> 2] ?? Number.NaN) / TURN;
}

async function measure(name: string, trees: readonly [Tree, Tree], asked: Asked): Promise<void> {
  const pairs: [Trained, Trained][] = [];
  for (const seed of SEEDS) pairs.push(await trainBoth(trees, asked, seed));
  const [then, now] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)] as const;
  const lossOf = (runs: readonly Trained[]) => mean(runs.map(({ loss }) => loss));
  const [before, after] = [lossOf(then), lossOf(now)];
  const [msThen, msNow] = [quickStep(then), quickStep(now)];
  note(
    `${name}: loss ${before.toFixed(4)} -> ${after.toFixed(4)}, ` +
      `step ${msThen.toFixed(3)} -> ${msNow.toFixed(3)} ms`,
  );
  report({
    name: `${name}: difference of the loss after ${STEPS} steps`,
    value: Math.abs(after - before),
    unit: 'nats',
    target: MAX_LOSS,
    better: 'lower',
  });
  report({
    name: `${name}: time of a step beside before`,
    value: msNow / msThen,
    unit: 'x',
    target: MAX_TIME,
    better: 'lower',
  });
}

if (given.before === undefined) throw new Error('expected --before and a checkout');
const trees = [
  await openTree(pathToFileURL(`${given.before}/`)),
  await openTree(new URL('../../', import.meta.url)),
] as const;
const asked = given.families?.split(',');
for (const [name, family] of Object.entries(FAMILIES)) {
  if (!asked || asked.some((part) => name.includes(part))) await measure(name, trees, family);
}
for (const { backend } of trees) backend.close();
process.exit(0);

import { readFileSync } from 'node:fs';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import type { Program } from '../../engine/graph/program.ts';
import { type DataFiles, singleFile } from '../../engine/data/files/data-files.ts';
import type { Architecture } from '../../engine/models/architectures.ts';
import type { Classifier } from '../../engine/models/classification/classifier.ts';
import { families } from '../../engine/models/families.ts';
import { loadFamily } from '../../engine/models/load-family.ts';
import { spikingConv } from '../../engine/models/spiking-conv/classifier.ts';
import { fashionStructure } from '../../engine/models/spiking-conv/structure.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { tutorialStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { memorySource } from '../engine/byte-sources.ts';
import { colouredPng, dataFiles, jsonLines } from '../engine/captioned-files.ts';
import { trainClassifier, tutorialSettings } from '../engine/classifier-training.ts';
import { bandedPictures, dataSet } from '../engine/data-sets.ts';
import { NOVEL } from '../engine/novel.ts';

/** A program that a run has played a few times, so that as many neurons fire as in a run. */
export interface Warm {
  readonly player: Player;
  readonly program: Program;
}

/** Puts other calls into a program before it is loaded. */
export type Change = (program: Program) => Program;

interface Playing {
  readonly backend: Backend;
  readonly change: Change;
  /** The preset that says how large the run is. */
  readonly size: 'tiny' | 'small';
}

export const backends = {
  wasm1: () => openWasmBackend({ threads: 1 }),
  wasm2: () => openWasmBackend({ threads: 2 }),
  webgpu: () => openWebGpuBackend({ gpu: navigator.gpu }),
} as const satisfies Record<string, () => Promise<Backend>>;
export type Device = keyof typeof backends;

const WARM_STEPS = 3;

/** The step that a run played last, from a backend that notes it down. */
async function watch(
  backend: Backend,
  change: Change,
  work: (backend: Backend) => Promise<unknown>,
): Promise<Warm> {
  let last: Warm | undefined;
  await work({
    ...backend,
    async load(layout, programs) {
      const changed = new Map(programs.map((program) => [program, change(program)]));
      const player = await backend.load(layout, [...changed.values()]);
      return {
        ...player,
        play(given, times) {
          const program = changed.get(given) ?? given;
          last = { player, program };
          player.play(program, times);
        },
      };
    },
  });
  if (!last) throw new Error('nothing was played');
  return last;
}

/** A captioned picture in four shades of three colours. */
function captions(): DataFiles {
  const colours = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230] } as const;
  const pairs = Object.entries(colours).flatMap(([caption, colour]) =>
    Array.from({ length: 8 }, (_, shade) => {
      const image = `${caption}-${shade}.png`;
      const split = shade % 4 === 2 ? 'test' : 'train';
      return {
        picture: [image, colouredPng(colour, shade / 2)] as const,
        line: { image, caption, group: `${caption}s`, split },
      };
    }),
  );
  const pictures = Object.fromEntries(pairs.map(({ picture }) => picture));
  return dataFiles({ 'captions.jsonl': jsonLines(pairs.map(({ line }) => line)), ...pictures });
}

const novel = () => singleFile(memorySource(readFileSync(NOVEL), 'chapter_1.txt'));

interface FamilyData {
  readonly files: () => DataFiles;
  /** Fields beside those of the preset. */
  readonly more?: Readonly<Record<string, boolean>>;
}

const data: Readonly<Record<Architecture, FamilyData>> = {
  dense_chronospike: { files: novel },
  standard_transformer: { files: novel },
  sparse_event_memory: { files: novel },
  memoried_spikenetlm: { files: captions },
  spiking_multimodal: { files: captions },
  spiking_audio: { files: () => dataSet('nothing', {}), more: { synthetic: true } },
  spiking_vision: { files: () => bandedPictures(256, 64) },
};

interface FamilyRun {
  readonly architecture: Architecture;
  /** Play the step of a token, instead of that of training. */
  readonly writes?: boolean;
}

async function playFamily(
  { architecture, writes = false }: FamilyRun,
  { backend, change, size }: Playing,
): Promise<Warm> {
  const { files, more } = data[architecture];
  const { fields, batch, learningRate, controls } = families[architecture].presets[size];
  const settings = {
    ...{ architecture, batch, learningRate, seed: 1, fields: { ...fields, ...more } },
    budget: { kind: 'steps', steps: 1000 },
  } as const;
  return watch(backend, change, async (watched) => {
    const family = await loadFamily(architecture);
    const opened = await family.openData(files(), settings);
    const run = await family.createRun(
      { backend: watched, settings, controls: { ...stableBaseline, ...controls } },
      opened,
    );
    await run.advance(WARM_STEPS);
    if (!writes || !run.generator) return;
    const request = { prompt: 'The whale', tokens: 20, temperature: 0, topK: 0, topP: 1, seed: 1 };
    for await (const _ of run.generator.generate(request)) continue;
  });
}

/** Images as bright as those of digits. */
function images(pixels: number, classes: number, count: number) {
  const BRIGHT = 0.19;
  const isBright = (i: number) => (i * 0.618_033_988_75) % 1 < BRIGHT;
  return {
    ...{ count, pixels, classes },
    images: Uint8Array.from({ length: count * pixels }, (_, i) => (isBright(i) ? 200 : 0)),
    labels: Uint8Array.from({ length: count }, (_, i) => i % classes),
  };
}

async function playClassifier<Structure>(
  classifier: Classifier<Structure>,
  batch: number,
  { backend, change }: Playing,
): Promise<Warm> {
  const { inputs, classes } = classifier;
  const settings = { ...tutorialSettings, batch };
  return watch(backend, change, async (watched) => {
    const learned = images(inputs, classes, 2 * batch);
    const run = await trainClassifier({ backend: watched, classifier, settings, images: learned });
    await run.advance(WARM_STEPS);
  });
}

/** A balanced network of 10,000 neurons and 10,000 sources. */
function playSimulation({ backend, change }: Playing): Promise<Warm> {
  const cells = { model: 'lif_reset', parameters: { tau: 20, threshold: 20, refractory: 2 } };
  const project = (from: string, k: number, weight: number) =>
    ['excitatory', 'inhibitory'].map((to) => ({
      ...{ from, to, weight, delay: 1.5 },
      connect: { kind: 'inDegree', k } as const,
    }));
  return watch(backend, change, async (watched) => {
    const simulation = await createSimulation(watched, {
      ...{ seed: 1, dt: 0.1 },
      populations: [
        { name: 'excitatory', count: 8000, ...cells },
        { name: 'inhibitory', count: 2000, ...cells },
        { name: 'outside', count: 10_000, model: 'poisson', parameters: { rate: 20 } },
      ],
      projections: [
        ...project('excitatory', 80, 1),
        ...project('inhibitory', 20, -5),
        ...project('outside', 100, 1),
      ],
      recorders: [{ kind: 'rate', of: 'excitatory' }],
    });
    await simulation.advance(100);
  });
}

/** A step of each kind of run by its name. */
export const steps: Readonly<Record<string, (playing: Playing) => Promise<Warm>>> = {
  ...Object.fromEntries(
    Object.keys(data).map((name) => [
      `${name}, training`,
      // The keys of the table above.
      (playing: Playing) => playFamily({ architecture: name as Architecture }, playing),
    ]),
  ),
  'dense_chronospike, token': (playing) =>
    playFamily({ architecture: 'dense_chronospike', writes: true }, playing),
  'standard_transformer, token': (playing) =>
    playFamily({ architecture: 'standard_transformer', writes: true }, playing),
  'sparse_event_memory, token': (playing) =>
    playFamily({ architecture: 'sparse_event_memory', writes: true }, playing),
  'spiking_mlp (784-1000-10), training': (playing) =>
    playClassifier(spikingMlp(tutorialStructure), playing.size === 'tiny' ? 16 : 128, playing),
  'spiking_conv (Fashion-MNIST), training': (playing) =>
    playClassifier(spikingConv(fashionStructure), playing.size === 'tiny' ? 4 : 64, playing),
  'simulator, 10,000 neurons': playSimulation,
};

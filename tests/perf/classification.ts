import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import type { AudioData } from '../../engine/datasets/audio-data.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { training as audioFamily } from '../../engine/models/spiking-audio/training.ts';
import { training as visionFamily } from '../../engine/models/spiking-vision/training.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import type { RunOptions, TrainingRun } from '../../engine/train/run.ts';
import { stableBaseline as controls } from '../../engine/settings/controls.ts';
import { floatAudioRun, floatVisionRun } from './float-networks.ts';
import { note, report } from './report.ts';

/**
 * How well spiking_vision and spiking_audio do. Run by hand: `classification.ts --data DIR [--only mnist,fashion,
 * fsdd,speakers,private] [--speaker NAME] [--float] [--threads 2] [--seed 0] [--epochs N]`; in DIR lie
 * `mnist/`, `fashion-mnist/` and `fsdd/`. Prints a line of JSON each. `--float` trains networks of the same
 * size with ReLU in place of neurons.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', default: 'mnist,fashion,fsdd,speakers' },
    speaker: { type: 'string' },
    float: { type: 'boolean', default: false },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '0' },
    epochs: { type: 'string' },
  },
});
/** Steps between two looks, and looks between two notes. */
const STRIDE = 32;
const LOOKS = 4;

type Figures = Readonly<Record<string, number>>;

interface Show {
  readonly name: string;
  readonly target: number;
  run(backend: Backend, data: string): Promise<Figures>;
}

const shows: Readonly<Record<string, Show>> = {
  mnist: {
    name: 'MNIST, convolutions, 60,000 training images: test accuracy',
    target: 98.5,
    run: (backend, data) => pictures(backend, `${data}/mnist`, { epochs: 2, batch: 64 }),
  },
  fashion: {
    name: 'Fashion-MNIST, convolutions, 10,000 training images: test accuracy',
    target: 85,
    run: (backend, data) => pictures(backend, `${data}/fashion-mnist`, { epochs: 8, batch: 64 }),
  },
  private: {
    name: 'MNIST, MLP, epsilon 8: test accuracy',
    target: 85,
    run: (backend, data) =>
      pictures(backend, `${data}/mnist`, {
        epochs: 2,
        batch: 512,
        fields: { model_variant: 'mlp', privacy_level: 'low' },
      }),
  },
  fsdd: {
    name: 'Spoken digits, recurrent layer, official split: test accuracy',
    target: 95,
    run: async (backend, data) =>
      sounds(backend, await audioFamily.openData(await openData(`${data}/fsdd`), soundSettings())),
  },
  speakers: {
    name: 'Spoken digits, recurrent layer, a speaker left out, mean of 6: test accuracy',
    target: 75,
    run: leaveOneOut,
  },
};

interface Given {
  readonly epochs: number;
  readonly batch: number;
  readonly learningRate?: number;
  readonly fields?: Fields;
}

function settingsOf(
  architecture: RunSettings['architecture'],
  { epochs, batch, learningRate = 2e-3, fields = {} }: Given,
): RunSettings {
  return {
    architecture,
    fields: { precision: 'f16', quantization: 'int8', ...fields },
    batch,
    learningRate,
    seed: Number(values.seed),
    budget: { kind: 'epochs', epochs: Number(values.epochs ?? epochs) },
  };
}

function soundSettings(): RunSettings {
  return settingsOf('spiking_audio', { epochs: 25, batch: 32, learningRate: 5e-3 });
}

async function pictures(backend: Backend, folder: string, given: Given): Promise<Figures> {
  const settings = settingsOf('spiking_vision', given);
  const data = await visionFamily.openData(await openData(folder), settings);
  const options: RunOptions = { backend, settings, controls };
  return figuresOf(
    await (values.float ? floatVisionRun(options, data) : visionFamily.createRun(options, data)),
  );
}

async function sounds(backend: Backend, data: AudioData): Promise<Figures> {
  const options: RunOptions = { backend, settings: soundSettings(), controls };
  return figuresOf(
    await (values.float ? floatAudioRun(options, data) : audioFamily.createRun(options, data)),
  );
}

/** Trains on five speakers and tests on the sixth, for each in turn or for the one named. */
async function leaveOneOut(backend: Backend, folder: string): Promise<Figures> {
  const all = await audioFamily.openData(await openData(`${folder}/fsdd`), soundSettings());
  const recordings = [...all.learned, ...all.validation];
  const names = [...new Set(recordings.map(({ speaker }) => speaker))].toSorted();
  const asked = values.speaker === undefined ? names : [values.speaker];
  const mean: Record<string, number> = {};
  for (const left of asked) {
    const learned = recordings.filter(({ speaker }) => speaker !== left);
    const validation = recordings.filter(({ speaker }) => speaker === left);
    const figures = await sounds(backend, { ...all, learned, validation });
    note(`${left}: ${percent(figures['accuracy'])}`);
    for (const [name, value] of Object.entries(figures)) {
      mean[name] = (mean[name] ?? 0) + value / asked.length;
    }
  }
  return mean;
}

async function figuresOf(run: TrainingRun): Promise<Figures> {
  const steps = run.totalSteps ?? 0;
  const started = performance.now();
  for (let done = 0; done < steps; done += STRIDE) {
    const { losses, tokensPerSecond } = await run.advance(Math.min(STRIDE, steps - done));
    if ((done / STRIDE) % LOOKS > 0) continue;
    const loss = losses.reduce((sum, one) => sum + one, 0) / losses.length;
    note(
      `step ${done} of ${steps}: loss ${loss.toFixed(3)}, ${tokensPerSecond.toFixed(0)} a second`,
    );
  }
  const seconds = (performance.now() - started) / 1000;
  const { figures = {}, loss, layers } = await run.validate();
  for (const { name, rate } of layers)
    note(`${name}: ${percent(rate)} of its neurons fire in a step`);
  run.close();
  return { ...figures, loss, seconds };
}

function percent(share = Number.NaN): string {
  return `${(100 * share).toFixed(2)} %`;
}

if (values.data === undefined) note('SKIPPED, say --data DIR where the data sets lie');
else {
  const backend = await openWasmBackend({ threads: Number(values.threads) });
  for (const name of values.only.split(',')) {
    const show = shows[name];
    if (!show) throw new Error(`there is no ${name}: expected ${Object.keys(shows).join(', ')}`);
    const { accuracy = Number.NaN, ...others } = await show.run(backend, values.data);
    const { name: what, target } = show;
    const kind = values.float ? 'float' : 'spiking';
    const figure = { name: `${what}, ${kind}`, value: 100 * accuracy, unit: '%', target, accuracy };
    report({ ...figure, better: 'higher' });
    note(JSON.stringify(others));
  }
  backend.close();
}

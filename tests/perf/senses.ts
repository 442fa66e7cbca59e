import { parseArgs } from 'node:util';
import { openData } from '../../compute/data/open-data.ts';
import type { Backend } from '../../engine/backends/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import type { AudioData } from '../../engine/data/audio-data.ts';
import { loadFamily } from '../../engine/families/families.ts';
import type { Fields } from '../../engine/families/fields.ts';
import { audioFamily } from '../../engine/models/spiking-audio/family.ts';
import { visionFamily } from '../../engine/models/spiking-vision/family.ts';
import type { RunSettings } from '../../engine/train/run-settings.ts';
import type { TrainingRun } from '../../engine/train/run.ts';
import { stableBaseline as controls } from '../../engine/train/settings.ts';
import { note, report } from './report.ts';

/**
 * How well spiking_vision and spiking_audio do. Run by hand: `senses.ts --data DIR [--only mnist,fashion,
 * fsdd,speakers,private] [--threads 2] [--seed 0] [--epochs N]`; in DIR lie `mnist/`, `fashion-mnist/` and
 * `fsdd/`. Prints a line of JSON each: the model as it is stored, in int8 and half precision, and as it was
 * trained. Float networks of the same size: `senses-float.ts`.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', default: 'mnist,fashion,fsdd,speakers' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '0' },
    epochs: { type: 'string' },
  },
});
const STORED = { precision: 'f16', quantization: 'int8' } as const;
const PROGRESS_STEPS = 64;

interface Show {
  readonly name: string;
  readonly target: number;
  run(backend: Backend, folder: string): Promise<Readonly<Record<string, number>>>;
}

const shows: Readonly<Record<string, Show>> = {
  mnist: {
    name: 'MNIST, spiking convolutions, 60,000 training images: test accuracy',
    target: 98.5,
    run: (backend, folder) =>
      pictures(backend, `${folder}/mnist`, settingsOf('spiking_vision', { epochs: 2, batch: 64 })),
  },
  fashion: {
    name: 'Fashion-MNIST, spiking convolutions, 10,000 training images: test accuracy',
    target: 85,
    run: (backend, folder) =>
      pictures(
        backend,
        `${folder}/fashion-mnist`,
        settingsOf('spiking_vision', { epochs: 8, batch: 64 }),
      ),
  },
  private: {
    name: 'MNIST, spiking MLP, epsilon 8: test accuracy',
    target: 85,
    run: (backend, folder) =>
      pictures(
        backend,
        `${folder}/mnist`,
        settingsOf('spiking_vision', {
          epochs: 2,
          batch: 512,
          fields: { model_variant: 'mlp', privacy_level: 'low' },
        }),
      ),
  },
  fsdd: {
    name: 'Spoken digits, recurrent spiking layer, official split: test accuracy',
    target: 95,
    run: async (backend, folder) => {
      const settings = soundSettings();
      const files = await openData(`${folder}/fsdd`);
      return trained(audioFamily, { backend, settings, files });
    },
  },
  speakers: {
    name: 'Spoken digits, recurrent spiking layer, a speaker left out, mean of 6: test accuracy',
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
    fields: { ...STORED, ...fields },
    batch,
    learningRate,
    seed: Number(values.seed),
    budget: { kind: 'epochs', epochs: Number(values.epochs ?? epochs) },
  };
}

function soundSettings(): RunSettings {
  return settingsOf('spiking_audio', { epochs: 25, batch: 32, learningRate: 5e-3 });
}

async function pictures(backend: Backend, folder: string, settings: RunSettings) {
  return trained(visionFamily, { backend, settings, files: await openData(folder) });
}

interface Task {
  readonly backend: Backend;
  readonly settings: RunSettings;
  readonly files: Awaited<ReturnType<typeof openData>>;
}

async function trained(
  family: typeof visionFamily | typeof audioFamily,
  { backend, settings, files }: Task,
) {
  const erased = await loadFamily(settings.architecture);
  if (erased !== (family as unknown)) throw new Error('the family is another one');
  const data = await erased.openData(files, settings);
  return figuresOf(await erased.createRun({ backend, settings, controls }, data));
}

/** Learns from five speakers and is asked what the sixth says, for each in turn. */
async function leaveOneOut(backend: Backend, folder: string) {
  const settings = soundSettings();
  const all = await audioFamily.openData(await openData(`${folder}/fsdd`), settings);
  const recordings = [...all.learned, ...all.validation];
  const speakers = [...new Set(recordings.map(({ speaker }) => speaker))].toSorted();
  const sums: Record<string, number> = {};
  for (const left of speakers) {
    const data: AudioData = {
      ...all,
      learned: recordings.filter(({ speaker }) => speaker !== left),
      validation: recordings.filter(({ speaker }) => speaker === left),
    };
    const figures = await figuresOf(
      await audioFamily.createRun({ backend, settings, controls }, data),
    );
    note(`${left}: ${percent(figures['accuracy'])}`);
    for (const [name, value] of Object.entries(figures)) {
      sums[name] = (sums[name] ?? 0) + value / speakers.length;
    }
  }
  return sums;
}

async function figuresOf(run: TrainingRun): Promise<Readonly<Record<string, number>>> {
  const steps = run.totalSteps ?? 0;
  const started = performance.now();
  for (let done = 0; done < steps; done += PROGRESS_STEPS) {
    const { losses, tokensPerSecond } = await run.advance(Math.min(PROGRESS_STEPS, steps - done));
    if ((done / PROGRESS_STEPS) % 4 > 0) continue;
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
    const figures = await show.run(backend, values.data);
    const { accuracy = Number.NaN, ...others } = figures;
    const { name: what, target } = show;
    report({ name: what, value: 100 * accuracy, unit: '%', target, better: 'higher', accuracy });
    note(JSON.stringify(others));
  }
  backend.close();
}

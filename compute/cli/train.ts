import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import {
  EngineError,
  formatProfile,
  learningRateAt,
  loadFamily,
  noFiles,
  parseDevice,
  type TrainingRun,
} from '../../engine/index.ts';
import { readRunRecord, type RunRecord } from '../runs/run-record.ts';
import { openData } from '../data/open-data.ts';
import { dataOptions, requireData } from './data-options.ts';
import { createDoctor } from './diagnose.ts';
import { openNodeDevice } from './open-device.ts';
import { baseConfig, readOrigin, type RunOrigin } from './run-origin.ts';
import { openTeacher } from './teacher-options.ts';
import { configuredOptions, readTrainConfig, trainConfig } from './train-config.ts';
import { trainToEnd } from './train-loop.ts';
import { reportInterval, trainOptions, type TrainOptions } from './train-options.ts';
import { createReporter } from './train-reporter.ts';
import { beginRun, settleRun } from './train-settings.ts';

/** Name of a run on synthetic data. */
const MADE_UP = 'synthetic';
/** Steps that `--profile` times. */
const PROFILED_PLAYS = 9;

/** Runs without an `--output` land here, in the checkout and ignored by git. */
const RUNS = fileURLToPath(new URL('../../.spikegrid/runs/', import.meta.url));

export function trainCommand(): Command {
  const command = new Command('train');
  return trainOptions(command).action(async (options: TrainOptions) => {
    const path = baseConfig(options);
    if (path === undefined) return train(options);
    const config = await readTrainConfig(path);
    if (config.resumed && options.base === undefined) {
      console.error(`${path} is of a run that was resumed: this makes it up to there`);
    }
    return train(configuredOptions(options, command, config));
  });
}

async function train(options: TrainOptions): Promise<void> {
  parseDevice(options.device);
  const origin = await readOrigin(options);
  const { resume, known, tokenizerFile } = origin;
  const place = await placesOf(options, origin);
  const { dataset } = place;
  const output = options.output ?? options.resume ?? newRunFolder(dataset ?? MADE_UP, new Date());
  const first = beginRun(options, resume);
  const { architecture, fields } = first.settings;
  requireData(dataset, { synthetic: fields['synthetic'] === true });
  const family = await loadFamily(architecture);
  family.check(first.settings);
  const { teacher } = place;
  const distillation = await openTeacher({ ...options, teacher }, architecture, resume);
  const opening = await dataOptions({
    settings: first.settings,
    resume: known,
    tokenizerFile,
    output,
  });
  const files = dataset === undefined ? noFiles : await openData(dataset);
  try {
    const data = await family
      .openData(files, first.settings, opening)
      .catch((error: unknown) => Promise.reject(known ? asChanged(error, dataset) : error));
    const backend = await openNodeDevice(options);
    const settled = await settleRun(options, first, { family, backend, data });
    const { settings, controls, profile } = settled;
    const start = origin.start(data, settings.seed);
    const given = { backend, settings, controls, profile, resume: start, distillation };
    const run = await family.createRun(given, data);
    const reportEvery = reportInterval(options, run.totalSteps);
    await trainToEnd({
      run,
      output,
      place,
      reportEvery,
      data,
      config: trainConfig({ ...given, options, place, reportEvery }),
      tensorboard: options.tensorboard,
      rateTest: settled.rateTest,
      doctor: createDoctor(run, { isContinued: start !== undefined, isAsked: options.diagnose }),
      isResumed: resume !== undefined,
      learningRate: () =>
        learningRateAt(settings.learningRate, controls, run.progress(), run.totalSteps),
      reporter: createReporter(run, data, options.json ?? false),
    });
    if (options.profile) await printProfile(run);
    run.close();
    backend.close();
    await data.close?.();
  } finally {
    await files.close();
  }
}

async function printProfile(run: TrainingRun): Promise<void> {
  console.error(formatProfile(await run.profile(PROFILED_PLAYS)));
}

/** Paths of data and teacher: as given, else as in the resumed run. */
async function placesOf(options: TrainOptions, { parent }: RunOrigin): Promise<RunRecord> {
  const { resume } = options;
  const record = resume === undefined ? undefined : await readRunRecord(resume);
  const dataset = options.dataset ?? rememberedData(record, options);
  const teacher = options.teacher ?? record?.teacher;
  return {
    ...(dataset !== undefined && { dataset }),
    ...(teacher !== undefined && { teacher }),
    ...(parent !== undefined && { parent }),
  };
}

/** Undefined where the data is made up. */
function rememberedData(record: RunRecord | undefined, options: TrainOptions): string | undefined {
  const { resume, synthetic } = options;
  if (resume !== undefined && !record && !synthetic) {
    throw new EngineError(
      'invalid-setting',
      `--dataset was left out: expected a path, as ${resume} does not say what it learned from`,
    );
  }
  if (!record) requireData(undefined, options);
  const dataset = record?.dataset;
  if (dataset === undefined || existsSync(dataset)) return dataset;
  throw new EngineError(
    'dataset-invalid',
    `${resume} learned from ${dataset}, which is not there: expected --dataset with where it is now`,
  );
}

/** A character that the model has never seen tells that the data is another than it learned from. */
function asChanged(error: unknown, dataset = MADE_UP): unknown {
  if (!(error instanceof EngineError) || error.code !== 'unknown-character') return error;
  return new EngineError(
    'checkpoint-mismatch',
    `${dataset} is not what the checkpoint was trained on: ${error.message}`,
    { cause: error },
  );
}

function newRunFolder(dataset: string, now: Date): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return join(RUNS, `${basename(dataset, extname(dataset))}-${moment}`);
}

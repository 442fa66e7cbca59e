import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import {
  formatProfile,
  loadFamily,
  noFiles,
  parseDevice,
  settingsOf,
  type StoredTraining,
  unpackTraining,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { openData } from '../data/open-data.ts';
import { dataOptions, requireData } from './data-options.ts';
import { openNodeDevice } from './open-device.ts';
import { newSettings, resumedSettings } from './settings-options.ts';
import { openTeacher } from './teacher-options.ts';
import { trainToEnd } from './train-loop.ts';
import {
  newControls,
  reportInterval,
  resumedControls,
  trainOptions,
  type TrainOptions,
} from './train-options.ts';
import { createReporter } from './train-reporter.ts';

/** What a run is called whose data is made up. */
const MADE_UP = 'synthetic';
/** Steps that `--profile` times. */
const PROFILED_PLAYS = 9;

/** Runs without an `--output` land here, in the checkout and ignored by git. */
const RUNS = fileURLToPath(new URL('../../.spikegrid/runs/', import.meta.url));

export function trainCommand(): Command {
  const command = new Command('train').description(
    'Train a model of any family on a text, pictures or recordings.',
  );
  return trainOptions(command).action(train);
}

async function train(options: TrainOptions): Promise<void> {
  parseDevice(options.device);
  const { dataset = MADE_UP } = options;
  const output = options.output ?? options.resume ?? newRunFolder(dataset, new Date());
  const resume = await readResume(options.resume);
  const settings = resume
    ? resumedSettings(options, settingsOf(resume.execution, resume.spec.architecture))
    : newSettings(options);
  requireData(options.dataset, { synthetic: settings.fields['synthetic'] === true });
  const family = await loadFamily(settings.architecture);
  family.check(settings);
  const { controls, profile } = resume
    ? resumedControls(options, resume)
    : newControls(options, process.env);
  const distillation = await openTeacher(options, settings.architecture);
  const { tokenizerFile } = options;
  const opening = await dataOptions({ settings, resume, tokenizerFile, output });
  const files = options.dataset === undefined ? noFiles : await openData(options.dataset);
  try {
    const data = await family.openData(files, settings, opening);
    const backend = await openNodeDevice(options);
    const given = { backend, settings, controls, profile, resume, distillation };
    const run = await family.createRun(given, data);
    await trainToEnd({
      run,
      output,
      dataset,
      isResumed: resume !== undefined,
      reportEvery: reportInterval(options, run.totalSteps),
      reporter: createReporter(run, data, options.json ?? false),
    });
    if (options.profile) console.error(formatProfile(await run.profile(PROFILED_PLAYS)));
    run.close();
    backend.close();
    await data.close?.();
  } finally {
    await files.close();
  }
}

async function readResume(folder: string | undefined): Promise<StoredTraining | undefined> {
  if (folder === undefined) return undefined;
  return unpackTraining(await readCheckpoint(await findCheckpoint(folder)));
}

function newRunFolder(dataset: string, now: Date): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return join(RUNS, `${basename(dataset, extname(dataset))}-${moment}`);
}

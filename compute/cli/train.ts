import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import {
  checkSettings,
  choiceFrom,
  type Corpus,
  type CorpusOptions,
  createTrainingRun,
  formatProfile,
  openCorpus,
  parseDevice,
  preparationFrom,
  type StoredTraining,
  textModelOf,
  type Tokenizer,
  type TrainingSettings,
  unpackTraining,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { openFileSources } from '../checkpoints/file-source.ts';
import { openTokenFile } from '../checkpoints/token-file.ts';
import { openNodeDevice } from './open-device.ts';
import { newText } from './text-options.ts';
import { trainToEnd } from './train-loop.ts';
import {
  newControls,
  newSettings,
  reportInterval,
  resumedControls,
  resumedSettings,
  trainOptions,
  type TrainOptions,
} from './train-options.ts';
import { createReporter } from './train-reporter.ts';

/** Steps that `--profile` times. */
const PROFILED_PLAYS = 9;

/** Runs without an `--output` land here, in the checkout and ignored by git. */
const RUNS = fileURLToPath(new URL('../../.spikegrid/runs/', import.meta.url));

export function trainCommand(): Command {
  const command = new Command('train').description('Train a spiking language model on a text.');
  return trainOptions(command).action(train);
}

async function train(options: TrainOptions): Promise<void> {
  parseDevice(options.device);
  const output = options.output ?? options.resume ?? newRunFolder(options.dataset, new Date());
  const resume = await readResume(options.resume);
  const asked = resume ? goOn(options, resume) : await begin(options);
  const { settings } = asked;
  checkSettings(settings);
  const { controls, profile } = resume
    ? resumedControls(options, resume)
    : newControls(options, process.env);
  const sources = await openFileSources(options.dataset);
  let corpus: Corpus | undefined;
  try {
    corpus = await openCorpus(sources, corpusOptions(asked, output));
    const backend = await openNodeDevice(options);
    const run = await createTrainingRun({
      backend,
      corpus,
      settings,
      controls,
      ...(profile && { profile }),
      ...(resume && { resume }),
    });
    await trainToEnd({
      run,
      output,
      dataset: options.dataset,
      isResumed: resume !== undefined,
      reportEvery: reportInterval(options, run.totalSteps),
      reporter: createReporter(run, corpus, options.json ?? false),
    });
    if (options.profile) console.error(formatProfile(await run.profile(PROFILED_PLAYS)));
    run.close();
    backend.close();
  } finally {
    await corpus?.close();
    await Promise.all(sources.map((source) => source.close()));
  }
}

/** What is trained, and with which tokenizer; undefined where one is made of the text. */
interface Asked {
  readonly settings: TrainingSettings;
  readonly tokenizer: Tokenizer | undefined;
}

async function begin(options: TrainOptions): Promise<Asked> {
  const { fields, tokenizer } = await newText(options);
  return { settings: newSettings(options, fields), tokenizer };
}

function goOn(options: TrainOptions, resume: StoredTraining): Asked {
  return {
    settings: resumedSettings(options, resume),
    tokenizer: textModelOf(resume).tokenizer,
  };
}

/** Tokens that have to be kept lie beside the checkpoints. */
function corpusOptions({ settings, tokenizer }: Asked, output: string): CorpusOptions {
  const { text = {} } = settings;
  return {
    preparation: preparationFrom(text),
    learn: choiceFrom(text),
    ...(tokenizer && { tokenizer }),
    openStore: () => openTokenFile(output),
  };
}

async function readResume(folder: string | undefined): Promise<StoredTraining | undefined> {
  if (folder === undefined) return undefined;
  return unpackTraining(await readCheckpoint(await findCheckpoint(folder)));
}

function newRunFolder([first = 'text']: readonly string[], now: Date): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return join(RUNS, `${basename(first, extname(first))}-${moment}`);
}

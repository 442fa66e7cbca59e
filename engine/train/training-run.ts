import type { Corpus } from '../data/corpus.ts';
import { createTextGenerator, type TextGenerator } from '../models/dense-chronospike/generator.ts';
import { createObserver, type Observer } from '../models/dense-chronospike/observer.ts';
import { modelSpecOf } from '../models/dense-chronospike/spec.ts';
import { lessonOf } from './distillation.ts';
import { traceRun } from './plan-training.ts';
import type { RunOptions, TrainingRun } from './run.ts';
import { checkSettings, runSettingsOf, type TrainingSettings } from './settings.ts';
import { startTextRun } from './text-run.ts';

/** What a dense_chronospike run is given. */
export interface TrainingOptions extends Omit<RunOptions, 'settings'> {
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
}

/** A run of dense_chronospike: it writes, and its neurons can be looked at. */
export interface ChronospikeRun extends TrainingRun {
  readonly generator: TextGenerator;
  readonly observer: Observer;
}

/** Prepares a run: splits the text, traces and compiles the programs, sets or restores the parameters. */
export async function createTrainingRun(options: TrainingOptions): Promise<ChronospikeRun> {
  const { corpus, settings, controls, ...rest } = options;
  checkSettings(settings);
  const lossOf = lessonOf(options, corpus, settings.sequence);
  const traced = traceRun(settings, controls, corpus.tokenizer.size, lossOf);
  const { structure, generate, observe } = traced;
  const { sequence } = settings;
  const run = await startTextRun({ ...rest, controls, settings: runSettingsOf(settings) }, corpus, {
    ...traced,
    sequence,
    timeSteps: settings.steps,
    spec: (tokenizer) => modelSpecOf(structure, sequence, tokenizer),
    generator: (player) => createTextGenerator(player, generate, corpus.tokenizer),
    observer: (player) => createObserver(player, observe, structure),
  });
  // Both were asked for above.
  return run as ChronospikeRun;
}

import {
  type Backend,
  controlsOf,
  type Corpus,
  createTrainingRun,
  planTraining,
  stableBaseline,
  type StoredTraining,
  type ChronospikeRun,
  type TrainingSettings,
} from '../../../engine/index.ts';
import type { RunFacts } from '../protocol.ts';
import { chooseProbe, createObserving, type Observing } from './observing.ts';
import { Trainer, type TrainerHooks } from './trainer.ts';
import type { Turns } from './turns.ts';

/** A run with all that goes on around it. */
export interface OpenRun {
  readonly run: ChronospikeRun;
  readonly backend: Backend;
  readonly facts: RunFacts;
  readonly trainer: Trainer;
  readonly observing: Observing;
}

export interface OpenRunOptions {
  readonly backend: Backend;
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
  readonly validateEvery: number;
  readonly resume: StoredTraining | undefined;
  readonly turns: Turns;
  readonly now: () => number;
  readonly hooks: TrainerHooks;
}

/** A run is validated ten times at least, however short it is. */
const FEWEST_VALIDATIONS = 10;

export async function openRun(options: OpenRunOptions): Promise<OpenRun> {
  const { backend, corpus, settings, resume, turns, now, hooks } = options;
  const controls = resume ? controlsOf(resume.execution) : stableBaseline;
  const run = await createTrainingRun({
    backend,
    corpus,
    settings,
    controls,
    ...(resume && { resume }),
  });
  const probe = await chooseProbe(corpus, settings.sequence);
  const mostSteps = Math.ceil((run.totalSteps ?? Infinity) / FEWEST_VALIDATIONS);
  const validateEvery = Math.min(options.validateEvery, mostSteps);
  return {
    run,
    backend,
    trainer: new Trainer({ run, turns, validateEvery, now }, hooks),
    observing: createObserving({ run, probe, turns, now, observed: hooks.observed }),
    facts: {
      device: run.device,
      settings,
      plan: planTraining(settings, controls, corpus.tokenizer.characters.length),
      stepsPerEpoch: run.stepsPerEpoch,
      totalSteps: run.totalSteps ?? null,
      layers: run.observer.layers,
      probe: probe.characters,
    },
  };
}

/** Ends everything that uses the run's memory, and then gives it back. */
export async function closeRun({ run, trainer, observing }: OpenRun, turns: Turns): Promise<void> {
  trainer.pause();
  await trainer.idle();
  await observing.idle();
  // In turn: a checkpoint may still be on its way off the device.
  await turns.take(async () => run.close());
}

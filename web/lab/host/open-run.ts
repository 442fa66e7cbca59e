import {
  type Backend,
  controlsOf,
  loadFamily,
  type RunData,
  type RunSettings,
  profileControls,
  type StoredTraining,
  type TrainingRun,
} from '../../../engine/index.ts';
import type { RunFacts } from '../run-machine.ts';
import { corpusOf } from './data-sets.ts';
import { chooseProbe, createObserving, type Observing } from './observing.ts';
import { Trainer, type TrainerHooks } from './trainer.ts';
import type { Turns } from './turns.ts';

/** A run with all that goes on around it. */
export interface OpenRun {
  readonly run: TrainingRun;
  readonly backend: Backend;
  readonly facts: RunFacts;
  readonly trainer: Trainer;
  /** Undefined where the family shows no neurons. */
  readonly observing: Observing | undefined;
}

interface OpenRunOptions {
  readonly backend: Backend;
  readonly data: RunData;
  readonly settings: RunSettings;
  readonly validateEvery: number;
  readonly resume: StoredTraining | undefined;
  readonly turns: Turns;
  readonly now: () => number;
  readonly hooks: TrainerHooks;
}

/** A run is validated ten times at least, however short it is. */
const FEWEST_VALIDATIONS = 10;

export async function openRun(options: OpenRunOptions): Promise<OpenRun> {
  const { backend, data, settings, resume, turns, now, hooks } = options;
  const profile = 'auto';
  const controls = resume ? controlsOf(resume.execution) : profileControls(profile, settings);
  const family = await loadFamily(settings.architecture);
  const run = await family.createRun(
    { backend, settings, controls, ...(resume ? { resume } : { profile }) },
    data,
  );
  const probe = await probeFor(run, data);
  const mostSteps = Math.ceil((run.totalSteps ?? Infinity) / FEWEST_VALIDATIONS);
  const validateEvery = Math.min(options.validateEvery, mostSteps);
  return {
    run,
    backend,
    trainer: new Trainer({ run, turns, validateEvery, now }, hooks),
    observing: probe && createObserving({ run, ...probe, turns, now, observed: hooks.observed }),
    facts: {
      device: run.device,
      settings,
      plan: family.plan(settings, controls, data.shape),
      stepsPerEpoch: run.stepsPerEpoch,
      totalSteps: run.totalSteps ?? null,
      writes: run.generator !== undefined,
      layers: probe?.observer.layers ?? [],
      probe: probe?.probe.characters ?? [],
    },
  };
}

/** The probe of the observed neurons; undefined where the family has none. */
async function probeFor({ observer }: TrainingRun, data: RunData) {
  const corpus = corpusOf(data);
  return observer && corpus && { observer, probe: await chooseProbe(corpus, observer.sequence) };
}

/** Ends everything that uses the run's memory, and then gives it back. */
export async function closeRun({ run, trainer, observing }: OpenRun, turns: Turns): Promise<void> {
  trainer.pause();
  await trainer.idle();
  await observing?.idle();
  // In turn: a checkpoint may still be on its way off the device.
  await turns.take(async () => run.close());
}

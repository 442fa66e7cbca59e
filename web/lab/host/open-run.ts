import {
  type Backend,
  beginFrom,
  controlsOf,
  loadFamily,
  type ModelFamily,
  type RunData,
  runControls,
  type RunSettings,
  settingsOf,
  settleSettings,
  type StoredTraining,
  type TrainingRun,
} from '../../../engine/index.ts';
import type { ParentFacts } from '../protocol.ts';
import type { RunFacts } from '../run-machine.ts';
import { corpusOf } from './data-sets.ts';
import { chooseProbe, createObserving, type Observing } from './observing.ts';
import { Trainer, type TrainerHooks } from './trainer.ts';
import type { Turns } from './turns.ts';
import { type WatchedRun, watchRun } from './watched-run.ts';

/** A run with all that goes on around it. */
export interface OpenRun {
  readonly run: TrainingRun;
  readonly backend: Backend;
  readonly facts: RunFacts;
  readonly trainer: Trainer;
  readonly watched: WatchedRun;
  /** Undefined where the family shows no neurons. */
  readonly observing: Observing | undefined;
}

interface OpenRunOptions {
  readonly backend: Backend;
  readonly data: RunData;
  readonly settings: RunSettings;
  readonly validateEvery: number;
  readonly resume: StoredTraining | undefined;
  /** The model whose weights a new run begins with. */
  readonly weights: StoredTraining | undefined;
  readonly parent: ParentFacts | undefined;
  readonly turns: Turns;
  readonly now: () => number;
  readonly hooks: TrainerHooks;
}

/** A run is validated ten times at least, however short it is. */
const FEWEST_VALIDATIONS = 10;

export async function openRun(options: OpenRunOptions): Promise<OpenRun> {
  const { backend, data, settings: asked, parent, turns, now, hooks } = options;
  const family = await loadFamily(asked.architecture);
  const { forecast, ...begun } = await settle(options, family);
  const { settings, controls } = begun;
  const created = await family.createRun({ backend, ...begun }, data);
  const watched = watchRun(created, begun.resume !== undefined);
  const { run } = watched;
  const probe = await probeFor(run, data);
  const mostSteps = Math.ceil((run.totalSteps ?? Infinity) / FEWEST_VALIDATIONS);
  const validateEvery = Math.min(options.validateEvery, mostSteps);
  return {
    run,
    backend,
    watched,
    trainer: new Trainer({ run, turns, validateEvery, now }, hooks),
    observing: probe && createObserving({ run, ...probe, turns, now, observed: hooks.observed }),
    facts: {
      device: run.device,
      settings,
      asked,
      forecast,
      plan: family.plan(settings, controls, data.shape),
      stepsPerEpoch: run.stepsPerEpoch,
      totalSteps: run.totalSteps ?? null,
      writes: run.generator !== undefined,
      layers: probe?.observer.layers ?? [],
      probe: probe?.probe.characters ?? [],
      ...(parent && { parent }),
    },
  };
}

/**
 * Settings and controls of a run: of a new one by its recipe, else as its checkpoint has them. One that begins with
 * another's weights has that one's structure, so nothing is chosen by data and device.
 */
async function settle(
  { settings: asked, backend, data, resume, weights }: OpenRunOptions,
  family: ModelFamily,
) {
  if (resume) {
    const settings = resumedSettings(asked, resume);
    return { settings, resume, controls: controlsOf(resume.execution), forecast: null };
  }
  const profile = 'auto';
  const begun = weights && beginFrom(weights, data, asked.seed);
  const { settings, forecast = null } = begun
    ? { settings: asked }
    : await settleSettings(asked, { family, backend, data, profile });
  const controls = runControls(profile, settings);
  return { settings, profile, resume: begun, controls, forecast } as const;
}

/** A request whose open values are those of the checkpoint, which were settled when its run began. */
function resumedSettings(asked: RunSettings, { execution }: StoredTraining): RunSettings {
  const { chosen } = asked;
  if (!chosen) return asked;
  const held = settingsOf(execution, asked.architecture);
  const open = Object.entries(held.fields).filter(([name]) => name in chosen);
  return {
    ...asked,
    fields: { ...asked.fields, ...Object.fromEntries(open) },
    ...('batch_size' in chosen && { batch: held.batch }),
    ...('learning_rate' in chosen && { learningRate: held.learningRate }),
    chosen: held.chosen ?? chosen,
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

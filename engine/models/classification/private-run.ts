import type { StoredTraining } from '../../checkpoint/checkpoint.ts';
import type { Examples } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import type { Classifier } from './classifier.ts';
import { tracePrivateTraining } from './private-programs.ts';
import type { Key } from '../../random/philox.ts';
import type { RunParts } from '../../train/run-parts.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import { PRIVATE_CLOCK } from './kept-for-privacy.ts';
import { planPrivacy, type PrivacyPlan, privacySpent } from '../../train/privacy/levels.ts';
import type { PrivacyLevel } from '../../train/privacy/privacy-levels.ts';
import { createPrivateFeed } from './private-feed.ts';

export interface PrivateRunOptions {
  readonly classifier: Classifier<unknown>;
  readonly learned: Examples;
  readonly level: Exclude<PrivacyLevel, 'none'>;
  readonly settings: RunSettings;
  readonly controls: TrainingControls;
  readonly resume: StoredTraining | undefined;
}

/** What a private run has in place of the parts of an ordinary one. */
export type PrivateParts = Required<
  Pick<RunParts, 'train' | 'feed' | 'programs' | 'privacy' | 'trainingBuffers' | 'start'>
>;

/**
 * Prepares differentially private SGD. The key of its samples and its noise is drawn from the system's
 * secret source and not from the seed, which config.json tells everybody; a run that goes on has it from
 * its optimizer.safetensors.
 */
export function preparePrivacy(options: PrivateRunOptions): PrivateParts {
  const { classifier, learned, level, settings, controls, resume } = options;
  const { batch, budget } = settings;
  const plan = planPrivacy(level, { examples: learned.count, batch, budget });
  if (resume) checkSpending(resume, plan);
  const programs = tracePrivateTraining(classifier, { ...plan, batch }, controls);
  const { sums, example, train } = programs;
  const key = resume ? storedKey(resume) : drawKey();
  return {
    train,
    feed: createPrivateFeed(learned, { programs, plan, batch, key }),
    programs: [example.program, train.program],
    privacy: (steps) => privacySpent(plan, steps),
    trainingBuffers: [{ ...PRIVATE_CLOCK, tensor: sums.clock }],
    start: (player) => player.write(sums.clock, Uint32Array.of(0, 0, ...key)),
  };
}

/** A budget that grows would have needed more noise from the first step on. */
function checkSpending({ execution: { privacy } }: StoredTraining, plan: PrivacyPlan): void {
  const { noise, rate, steps } = plan;
  if (privacy?.noise_multiplier === noise && privacy.sampling_rate === rate) return;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint was trained with noise ${privacy?.noise_multiplier} at sampling rate ` +
      `${privacy?.sampling_rate}, ${steps} steps of these settings need ${noise} at ${rate}: ` +
      'expected the batch_size and budget that the private run began with',
  );
}

function drawKey(): Key {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [low, high];
}

function storedKey({ trainingBuffers }: StoredTraining): Key {
  const [, , low = 0, high = 0] = trainingBuffers?.get(PRIVATE_CLOCK.name)?.data ?? [];
  return [low, high];
}

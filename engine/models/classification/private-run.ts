import type { StoredTraining } from '../../checkpoint/checkpoint.ts';
import { emptyBatch, type Examples, fillAltered } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import { wordCount } from '../../graph/tensor.ts';
import { packRates } from '../../ops/step-inputs.ts';
import { type Key, scramble } from '../../random/philox.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import {
  planPrivacy,
  type PrivacyPlan,
  privacySpent,
  privateStepsPerEpoch,
} from '../../train/privacy/levels.ts';
import type { PrivacyLevel } from '../../settings/stored-fields.ts';
import type { RunParts } from '../../train/run-parts.ts';
import type { BatchFeed } from '../../train/run.ts';
import type { Classifier } from './classifier.ts';
import { inEveryStep } from './example-feed.ts';
import { PRIVATE_CLOCK } from './kept-for-privacy.ts';
import { type PrivatePrograms, tracePrivateTraining } from './private-programs.ts';

interface PrivateRunOptions {
  readonly classifier: Classifier<unknown>;
  readonly learned: Examples;
  readonly level: Exclude<PrivacyLevel, 'none'>;
  readonly settings: RunSettings;
  readonly controls: TrainingControls;
  readonly resume: StoredTraining | undefined;
}

/** Parts of a private run in place of those of an ordinary one. */
export type PrivateParts = Required<
  Pick<RunParts, 'train' | 'feed' | 'programs' | 'privacy' | 'trainingBuffers' | 'start'>
>;

/**
 * Prepares differentially private SGD. The key of its samples and its noise is drawn from the system's
 * secret source and not from the seed, which config.json tells everybody; a run that continues has it from
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

const SAMPLE_STREAM = 0x504f4953;

interface PrivateFeedOptions {
  readonly programs: PrivatePrograms;
  readonly plan: PrivacyPlan;
  readonly batch: number;
  /** The key of samples and noise. With it the noise can be removed. */
  readonly key: Key;
}

/**
 * Plays the example's program for every example of a step's sample. Each example is in it with the same
 * probability, whatever others are (Poisson sampling), as the accountant takes for granted.
 */
function createPrivateFeed(
  examples: Examples,
  { programs: { example, sums }, plan, batch, key }: PrivateFeedOptions,
): BatchFeed {
  const one = emptyBatch(examples, 1);
  const targets = new Uint32Array(wordCount(example.targets));
  const rates = packRates({
    learningRate: 0,
    weightDecay: 0,
    clipNorm: plan.clipNorm,
    corrections: [1, 1],
  });
  return {
    stepsPerEpoch: privateStepsPerEpoch({ examples: examples.count, batch }),
    load: () => undefined,
    reseed() {
      throw new EngineError(
        'invalid-setting',
        `privacy_level is ${plan.level}: what several trainers spend together is not counted, expected one`,
      );
    },
    write(player, step) {
      if (step >= plan.steps) {
        throw new EngineError(
          'invalid-setting',
          `the epsilon of privacy_level ${plan.level} is spent after ${plan.steps} steps: expected no more`,
        );
      }
      const sample = poissonSample(examples.count, plan.rate, { key, step });
      player.write(example.rates, rates);
      player.write(example.share, Float32Array.of(1 / Math.max(1, sample.length)));
      for (const [first, chosen] of sample.entries()) {
        fillAltered(examples, [chosen], one, { key, step, first });
        player.write(example.inputs, one.inputs);
        player.write(example.targets, inEveryStep(one.labels, targets));
        player.play(example.program);
      }
      player.write(sums.clock, Uint32Array.of(step, 0, ...key));
    },
  };
}

/** Which of `count` examples are in the sample of a step, each with probability `rate`, ascending. */
export function poissonSample(
  count: number,
  rate: number,
  { key, step }: { readonly key: Key; readonly step: number },
): number[] {
  if (rate >= 1) return Array.from({ length: count }, (_, i) => i);
  const sample: number[] = [];
  const words = new Uint32Array(4);
  const scale = 1 / Math.log1p(-rate);
  let next = -1;
  for (let draw = 0; ; draw++) {
    words.set([draw, step, 0, SAMPLE_STREAM]);
    scramble(words, key);
    const [high = 0, low = 0] = words;
    // In (0, 1], in steps of 2^-53.
    const uniform = ((high >>> 11) * 2 ** 32 + low + 1) * 2 ** -53;
    // The examples passed over before the next one of the sample follow a geometric distribution.
    next += 1 + Math.floor(Math.log(uniform) * scale);
    if (next >= count) return sample;
    sample.push(next);
  }
}

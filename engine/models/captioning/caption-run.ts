import type { Player } from '../../backends/backend.ts';
import type { TextSpec } from '../../checkpoint/checkpoint.ts';
import type { TokenizerReference } from '../../checkpoint/spec-members.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import {
  type Augmentation,
  CAPTION_MARK,
  type CaptionGatherer,
  createCaptionGatherer,
  createCaptionSampler,
} from '../../data/captions/batches.ts';
import type { CaptionedSet } from '../../data/captions/open-captions.ts';
import type { Tokenizer } from '../../data/tokenizer.ts';
import { captionCosts } from './caption-costs.ts';
import { sequenceFloors } from '../../evaluation/floors.ts';
import {
  type CaptionEvaluation,
  type CaptionModel,
  traceCaptionRun,
  writeCaptions,
} from './caption-model.ts';
import { clearCounts, readActivity } from '../../train/activity-meter.ts';
import { checkResume } from '../../train/resume.ts';
import type { BatchFeed, TrainingRun, Validation } from '../../train/run.ts';
import type { TrainingOptions } from '../family.ts';
import { startFamilyRun } from '../start-run.ts';

/** What a family that learns captions gives to its run. */
export interface CaptionParts {
  readonly model: CaptionModel;
  readonly set: CaptionedSet;
  readonly tokenizer: Tokenizer;
  /** Pixels along the side of a patch. */
  readonly patch: number;
  readonly augmentation: Augmentation;
  /** The model_spec, given what it says of its tokenizer. */
  readonly spec: (tokenizer: TokenizerReference) => TextSpec;
}

/**
 * Starts a run that learns captions behind their pictures and sounds, and is validated on the pairs held
 * back. Throws EngineError `captions-invalid`, `unknown-character` and, for a run that goes on,
 * `checkpoint-mismatch`.
 */
export async function startCaptionRun(
  options: TrainingOptions,
  parts: CaptionParts,
): Promise<TrainingRun> {
  const { settings, controls, resume, dataSeed: seed = settings.seed } = options;
  const { model, set, tokenizer } = parts;
  const { batch } = settings;
  const spec = parts.spec(tokenizerReferenceOf(tokenizer));
  const data = { name: set.name, sha256: set.digest, examples: set.captions.length };
  if (resume) checkResume(resume, { spec, data });
  const shape = { batch, sequence: model.sequence, patch: parts.patch };
  const gatherer = createCaptionGatherer({ ...parts, shape });
  const sampler = createCaptionSampler(gatherer, set.train, { batch, seed });
  const { train, evaluate, programs } = traceCaptionRun(model, batch, controls);
  const feed: BatchFeed = {
    stepsPerEpoch: sampler.stepsPerEpoch,
    load: () => undefined,
    reseed: (next) => sampler.reseed(next),
    write: (player, step) => writeCaptions(player, train, sampler.batch(step)),
  };
  return startFamilyRun(options, {
    layout: model.layout,
    programs,
    train,
    feed,
    itemsPerStep: batch,
    spec,
    tokenizer,
    data,
    guess: Math.log(tokenizer.size),
    floors: () => Promise.resolve(captionFloors(parts)),
    validate: (player) => validateOn(player, { evaluate, gatherer, places: set.test }),
  });
}

/** N-grams of up to three tokens, which see no picture. */
function captionFloors({ model, set, tokenizer }: CaptionParts) {
  const sequences = (places: readonly number[]) =>
    places.map((place) => {
      const tokens = tokenizer.encode(`${CAPTION_MARK}${set.captions[place]}${CAPTION_MARK}`);
      return tokens.subarray(0, model.sequence + 1);
    });
  const [counted, asked] = [sequences(set.train), sequences(set.test)];
  return sequenceFloors(tokenizer.size, 3, { counted, asked });
}

interface ValidationSet {
  readonly evaluate: CaptionEvaluation;
  readonly gatherer: CaptionGatherer;
  /** Of the pairs held back. */
  readonly places: readonly number[];
}

/** Nats a token of captions behind their own pictures and sounds and, as a figure, behind those of others. */
async function validateOn(player: Player, set: ValidationSet): Promise<Validation> {
  const { evaluate, places } = set;
  const others = places.map((_, i) => places[(i + (places.length >> 1)) % places.length] ?? 0);
  const shuffled = await meanCost(player, set, others);
  clearCounts(player, evaluate.layers);
  const loss = await meanCost(player, set, places);
  const plays = Math.ceil(places.length / evaluate.batch);
  const layers = await Promise.all(
    evaluate.layers.map((layer) => readActivity(player, [layer], plays * layer.chances)),
  );
  return { loss, layers: layers.flat(), figures: { shuffled_loss: shuffled } };
}

async function meanCost(
  player: Player,
  { places, ...scorer }: ValidationSet,
  inputs: readonly number[],
): Promise<number> {
  const { nats, tokens } = await captionCosts({ player, ...scorer }, { captions: places, inputs });
  return nats.reduce((a, b) => a + b, 0) / tokens.reduce((a, b) => a + b, 0);
}

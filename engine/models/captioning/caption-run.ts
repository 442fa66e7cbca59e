import type { Player } from '../../graph/backend.ts';
import type { TextSpec } from '../../checkpoint/checkpoint.ts';
import type { TokenizerReference } from '../../checkpoint/spec-members.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import {
  type Augmentation,
  type CaptionGatherer,
  createCaptionGatherer,
  createCaptionSampler,
} from '../../data/captions/caption-batches.ts';
import type { CaptionedSet } from '../../data/captions/captions.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import { sequenceFloors } from '../../evaluation/floors.ts';
import type { Pause } from '../../evaluation/pauses.ts';
import { pairRetrieval, type RetrievalFigures } from '../../evaluation/retrieval.ts';
import { packClock } from '../../ops/step-inputs.ts';
import { clearCounts, readActivity } from '../../train/spike-statistics.ts';
import { checkResume } from '../../train/resume.ts';
import type { BatchFeed, TrainingRun, Validation } from '../../train/run.ts';
import type { TrainingOptions } from '../family.ts';
import { openTables } from '../language/tables.ts';
import { startFamilyRun } from '../start-run.ts';
import {
  type CaptionEvaluation,
  type CaptionModel,
  traceCaptionRun,
  writeCaptions,
} from './caption-model.ts';
import {
  type CaptionPriors,
  captionSequences,
  countCaptions,
  createCaptionPriors,
} from './caption-tables.ts';

/** Parts of a captioning run. */
interface CaptionParts {
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
 * Starts a run that learns captions behind their images and audio, and is validated on the pairs held
 * back. Throws EngineError `captions-invalid`, `unknown-character` and, for a run that continues,
 * `checkpoint-mismatch`.
 */
export async function startCaptionRun(
  options: TrainingOptions,
  parts: CaptionParts,
): Promise<TrainingRun> {
  const { settings, controls, resume, dataSeed: seed = settings.seed } = options;
  const { model, set, tokenizer } = parts;
  const { batch } = settings;
  const { sequence } = model;
  const tables = await openTables(
    { digest: set.digest, count: (order) => countCaptions(set, { order, tokenizer, sequence }) },
    { order: model.ngramOrder, shape: { batch, sequence }, resume },
  );
  const priors = tables && createCaptionPriors(tables.model, { batch, sequence }, tokenizer);
  const spec = { ...parts.spec(tokenizerReferenceOf(tokenizer)), ...tables?.spec };
  const data = { name: set.name, sha256: set.digest, examples: set.captions.length };
  if (resume) checkResume(resume, { spec, data });
  const shape = { batch, sequence, patch: parts.patch };
  const gatherer = createCaptionGatherer({ ...parts, shape });
  const sampler = createCaptionSampler(gatherer, set.train, { batch, seed });
  const { train, evaluate, programs } = traceCaptionRun(model, batch, controls);
  const feed: BatchFeed = {
    stepsPerEpoch: sampler.stepsPerEpoch,
    load: () => undefined,
    reseed: (next) => sampler.reseed(next),
    write(player, step) {
      const pairs = sampler.batch(step);
      writeCaptions(player, train, pairs, priors?.leftOut(pairs));
    },
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
    ...(tables && { constants: tables.constants }),
    guess: Math.log(tokenizer.size),
    floors: (pause) => captionFloors(parts, pause),
    validate: (player) => validateOn(player, { evaluate, gatherer, priors, places: set.test }),
  });
}

/** N-grams of up to five tokens, which see no image. */
function captionFloors({ model, set, tokenizer }: CaptionParts, pause: Pause) {
  const { sequence } = model;
  const sequences = (places: readonly number[]) =>
    captionSequences(set, places, { tokenizer, sequence });
  const [counted, asked] = [sequences(set.train), sequences(set.test)];
  return sequenceFloors(tokenizer.size, [1, 2, 3, 4, 5], { counted, asked }, pause);
}

interface ValidationSet {
  readonly evaluate: CaptionEvaluation;
  readonly gatherer: CaptionGatherer;
  readonly priors?: CaptionPriors | undefined;
  /** Of the pairs held out. */
  readonly places: readonly number[];
}

/** Nats a token of captions behind their own images and audio and, as a figure, behind those of others. */
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
  const alone = set.priors && { tables_loss: tablesLoss({ ...set, priors: set.priors }) };
  return { loss, layers: layers.flat(), figures: { shuffled_loss: shuffled, ...alone } };
}

/** Nats a token of the tables alone. */
function tablesLoss({
  evaluate: { batch },
  gatherer,
  priors,
  places,
}: ValidationSet & { readonly priors: CaptionPriors }): number {
  let [nats, tokens] = [0, 0];
  for (let first = 0; first < places.length; first += batch) {
    const rows = places.slice(first, first + batch);
    const gathered = gatherer.gather(rows, rows);
    const logs = priors.of(gathered);
    const width = logs.length / gathered.targets.length;
    for (const [at, weight] of gathered.weights.entries()) {
      if (weight === 0) continue;
      nats -= logs[at * width + (gathered.targets[at] ?? 0)] ?? 0;
      tokens++;
    }
  }
  return nats / tokens;
}

async function meanCost(
  player: Player,
  { places, ...scorer }: ValidationSet,
  inputs: readonly number[],
): Promise<number> {
  const { nats, tokens } = await captionCosts({ player, ...scorer }, { captions: places, inputs });
  return nats.reduce((a, b) => a + b, 0) / tokens.reduce((a, b) => a + b, 0);
}

/** A loaded program that scores captions, with the gatherer of its inputs. */
interface CaptionReader {
  readonly player: Player;
  readonly evaluate: CaptionEvaluation;
  readonly gatherer: CaptionGatherer;
  /** Of a model with tables. */
  readonly priors?: CaptionPriors | undefined;
}

/** Places of captions, and of the images or audio that each stands behind. */
interface CaptionPlaces {
  readonly captions: readonly number[];
  readonly inputs: readonly number[];
}

/** Nats of whole captions and their tokens, the mark at the end included. */
interface CaptionCosts {
  readonly nats: Float64Array;
  readonly tokens: Uint32Array;
}

/** Cost of each caption behind the image or sound of the same index. */
export async function captionCosts(
  { player, evaluate, gatherer, priors }: CaptionReader,
  { captions, inputs }: CaptionPlaces,
): Promise<CaptionCosts> {
  const { batch, sequence } = evaluate;
  const nats = new Float64Array(captions.length);
  const tokens = new Uint32Array(captions.length);
  for (let first = 0; first < captions.length; first += batch) {
    const end = first + batch;
    const gathered = gatherer.gather(captions.slice(first, end), inputs.slice(first, end));
    writeCaptions(player, evaluate, gathered, priors?.of(gathered));
    player.write(evaluate.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
    player.play(evaluate.program);
    const losses = await player.read(evaluate.tokenLosses);
    for (let row = 0; first + row < Math.min(end, captions.length); row++) {
      const ofRow = [row * sequence, (row + 1) * sequence] as const;
      nats[first + row] = sum(losses.subarray(...ofRow));
      tokens[first + row] = sum(gathered.weights.subarray(...ofRow));
    }
  }
  return { nats, tokens };
}

/** Cost of every caption behind every image or sound. */
interface PairCosts extends CaptionCosts {
  /** `[pairs][pairs]`: a row for each image, a column for each caption. */
  readonly nats: Float64Array;
}

/** `places` are those of pairs. */
export async function pairCosts(
  scorer: CaptionReader,
  places: readonly number[],
): Promise<PairCosts> {
  const pairs = places.flatMap((input) => places.map((caption) => ({ input, caption })));
  const captions = pairs.map(({ caption }) => caption);
  const inputs = pairs.map(({ input }) => input);
  const { nats, tokens } = await captionCosts(scorer, { captions, inputs });
  return { nats, tokens: tokens.subarray(0, places.length) };
}

/** Retrieval figures of captions. */
export interface CaptionFigures {
  /** Nats a token behind their own images or audio, and behind those of others. */
  readonly right: number;
  readonly shuffled: number;
  /** Captions asked for with an image, and images with a caption. */
  readonly captionsOfPictures: RetrievalFigures;
  readonly picturesOfCaptions: RetrievalFigures;
}

/**
 * The figures of pairs, shuffled so that each caption stands behind the input `shift` places further. For
 * retrieval a caption is as similar to an image as it costs less behind it than behind all on the mean:
 * some captions are cheap whatever they stand behind.
 */
export function captionFigures({ nats, tokens }: PairCosts, shift: number): CaptionFigures {
  const pairs = tokens.length;
  const cost = (input: number, caption: number) => nats[input * pairs + caption] ?? Number.NaN;
  const all = Array.from(tokens, (_, i) => i);
  const mean = (inputOf: (caption: number) => number) =>
    sum(all.map((caption) => cost(inputOf(caption), caption))) / sum(tokens);
  const usual = all.map((caption) => sum(all.map((input) => cost(input, caption))) / pairs);
  const similarities = nats.map((one, i) => (usual[i % pairs] ?? 0) - one);
  const { forward, backward } = pairRetrieval(similarities, pairs);
  return {
    right: mean((caption) => caption),
    shuffled: mean((caption) => (caption + shift) % pairs),
    captionsOfPictures: forward,
    picturesOfCaptions: backward,
  };
}

function sum(numbers: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += numbers[i] ?? 0;
  return total;
}

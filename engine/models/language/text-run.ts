import type { Player } from '../../graph/backend.ts';
import type { TextSpec } from '../../checkpoint/checkpoint.ts';
import type { TokenizerReference } from '../../checkpoint/spec-members.ts';
import { textRecordOf } from '../../checkpoint/text-record.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../../data/corpus/corpus.ts';
import { type Chunk, createChunkSampler, streamChunks } from '../../data/corpus/chunks.ts';
import { splitCorpus, type TokenRange } from '../../data/corpus/corpus.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import {
  type Batch,
  createWindowSampler,
  spreadWindows,
  type WindowShape,
} from '../../data/corpus/windows.ts';
import { textFloors } from '../../evaluation/floors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { openTables, type Tables } from './tables.ts';
import type { EvaluateProgram, LossProgram, StreamProgram, TextStep } from './text-programs.ts';
import { countCorpus } from '../../ngrams/corpus-ngrams.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import { packClock } from '../../ops/step-inputs.ts';
import { clearCounts, readActivity } from '../../train/spike-statistics.ts';
import { checkResume } from '../../train/resume.ts';
import type { BatchFeed, TrainingRun, Validation } from '../../train/run.ts';
import type { TrainingOptions } from '../family.ts';
import type { RunParts } from '../../train/run-parts.ts';
import { startFamilyRun } from '../start-run.ts';

/** Parts of a language-model run. */
interface TextParts<Views extends object = object> extends Pick<
  RunParts<Views>,
  'start' | 'buffers' | 'trainingBuffers' | 'describe'
> {
  /** Views of the model; what generates text adds the tables' log-probabilities to its logits. */
  readonly views?: (player: Player, tables: NgramModel | undefined) => Views;
  readonly layout: ParameterLayout;
  readonly programs: readonly Program[];
  readonly train: TextStep;
  readonly evaluate: EvaluateProgram;
  /** Reads the validation text in order, too, with the state carried along. */
  readonly stream?: StreamProgram;
  /** Tokens of the longest n-grams of its tables; none where it is 0 or left out. */
  readonly ngramOrder?: number | undefined;
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** Chances of each neuron to fire for a token. */
  readonly timeSteps: number;
  /** Further figures of each validation, such as what the training steps since the last one did. */
  readonly figures?: (player: Player) => Promise<Readonly<Record<string, number>>>;
  /** The model_spec, given what it says of the tokenizer. */
  readonly spec: (tokenizer: TokenizerReference) => TextSpec;
}

/** Batches of a validation queued at once: few, so that text is generated and neurons are observed meanwhile. */
const QUEUE_BATCHES = 4;
const VALIDATION_WINDOWS = 256;

/**
 * Starts a run that learns from random windows of a text's first 90 %, or from all of it in order, and is
 * validated on windows spread over the last 10 %. Throws EngineError `text-too-short` and, for a run that continues, `checkpoint-mismatch`.
 */
export async function startTextRun<Views extends object>(
  options: TrainingOptions,
  corpus: Corpus,
  parts: TextParts<Views>,
): Promise<TrainingRun & Partial<Views>> {
  const { settings, resume, dataSeed = settings.seed } = options;
  const { batch } = settings;
  const { sequence, train, describe } = parts;
  const { train: range, validation } = splitCorpus(corpus, sequence);
  const shape = { batch, sequence };
  const tables = await openTables(
    { digest: corpus.digest, count: (order) => countCorpus(corpus, range, order) },
    { order: parts.ngramOrder, shape, resume },
  );
  const spec = { ...parts.spec(tokenizerReferenceOf(corpus.tokenizer)), ...tables?.spec };
  const data = dataOf(corpus);
  if (resume) checkResume(resume, { spec, data });
  const feed = feedOf(train, { corpus, range, shape, seed: dataSeed, tables });
  const windows = await spreadWindows(corpus, validation, shape, VALIDATION_WINDOWS);
  const chunks = parts.stream && (await streamChunks(corpus, validation, shape));
  const chances = windows.length * batch * sequence * parts.timeSteps;
  const characters = charactersIn(windows, corpus.tokenizer);
  return startFamilyRun(options, {
    ...parts,
    spec,
    data,
    feed,
    tokenizer: corpus.tokenizer,
    ...(tables && { constants: tables.constants }),
    ...(describe && {
      describe: async (player) => ({ ...(await describe(player)), ...tables?.spec }),
    }),
    views: (player) => parts.views?.(player, tables?.model) ?? ({} as Views),
    itemsPerStep: batch * sequence,
    guess: Math.log(corpus.tokenizer.size),
    floors: (pause) => textFloors(corpus, range, { windows, sequence }, pause),
    validate: async (player) => {
      const measured = await validateOn(player, parts.evaluate, {
        windows,
        chances,
        characters,
        tables,
      });
      const figures = { ...measured.figures, ...(await parts.figures?.(player)) };
      if (!parts.stream || !chunks || chunks.length === 0) return { ...measured, figures };
      const stream_loss = await streamLoss(player, parts.stream, chunks, tables);
      return { ...measured, figures: { ...figures, stream_loss } };
    },
  });
}

/** The text as a checkpoint records it. */
function dataOf({ name, digest, characters, length, preparation }: Corpus) {
  return {
    name,
    sha256: digest,
    characters,
    tokens: length,
    text: textRecordOf(preparation),
  };
}

interface FeedSource {
  readonly corpus: Corpus;
  readonly range: TokenRange;
  readonly shape: WindowShape;
  readonly seed: number;
  readonly tables: Tables | undefined;
}

/** Random windows, or the chunks of rows that read the text in order. */
function feedOf(
  { ids, targets, prior, begins, groups: programs }: TextStep,
  { corpus, range, shape, seed, tables }: FeedSource,
): BatchFeed {
  const write = (player: Player, batch: Batch) => {
    player.write(ids, batch.ids);
    player.write(targets, batch.targets);
    if (prior && tables) player.write(prior, tables.toLearnFrom(batch));
  };
  if (!begins) {
    const windows = createWindowSampler(corpus, range, shape, seed);
    return { ...windows, write: (player, step) => write(player, windows.batch(step)) };
  }
  const groups = programs?.length ?? 1;
  const chunks = createChunkSampler(corpus, range, { ...shape, groups }, seed);
  return {
    ...chunks,
    write(player, step) {
      const chunk = chunks.batch(step);
      write(player, chunk);
      player.write(begins, chunk.begins);
    },
  };
}

/** Mean loss over a text that is read in order: what carries over tells what windows cannot know. */
async function streamLoss(
  player: Player,
  stream: StreamProgram,
  chunks: readonly Chunk[],
  tables: Tables | undefined,
): Promise<number> {
  let sum = 0;
  for (let first = 0; first < chunks.length; first += QUEUE_BATCHES) {
    const batches = chunks.slice(first, first + QUEUE_BATCHES);
    for (const [slot, chunk] of batches.entries()) {
      player.write(stream.begins, chunk.begins);
      writePrior(player, stream, tables?.priors.of(chunk));
      playOn(player, stream, chunk, slot);
    }
    sum += await sumOfLosses(player, stream, batches.length);
  }
  return sum / chunks.length;
}

function playOn(player: Player, traced: LossProgram, { ids, targets }: Batch, slot: number): void {
  player.write(traced.ids, ids);
  player.write(traced.targets, targets);
  player.write(traced.clock, packClock({ step: 0, slot, seed: [0, 0] }));
  player.play(traced.program);
}

function writePrior(
  player: Player,
  { prior }: LossProgram,
  values: Float32Array | undefined,
): void {
  if (prior && values) player.write(prior, values);
}

async function sumOfLosses(player: Player, { losses }: LossProgram, count: number) {
  let sum = 0;
  for (const loss of (await player.read(losses)).subarray(0, count)) sum += loss;
  return sum;
}

interface ValidationSet {
  readonly windows: readonly Batch[];
  /** Time steps in which each neuron could have fired. */
  readonly chances: number;
  /** Characters that are predicted; undefined where every token is one. */
  readonly characters: number | undefined;
  readonly tables: Tables | undefined;
}

async function validateOn(
  player: Player,
  evaluate: EvaluateProgram,
  { windows, chances, characters, tables }: ValidationSet,
): Promise<Validation> {
  clearCounts(player, evaluate.layers);
  let [sum, ofTables] = [0, 0];
  for (let first = 0; first < windows.length; first += QUEUE_BATCHES) {
    const batches = windows.slice(first, first + QUEUE_BATCHES);
    for (const [slot, batch] of batches.entries()) {
      const priors = tables?.priors.of(batch);
      if (tables && priors) ofTables += tables.lossOf(priors, batch.targets) / windows.length;
      writePrior(player, evaluate, priors);
      playOn(player, evaluate, batch, slot);
    }
    sum += await sumOfLosses(player, evaluate, batches.length);
  }
  const layers = await readActivity(player, evaluate.layers, chances);
  const loss = sum / windows.length;
  const alone = tables && { tables_loss: ofTables };
  if (characters === undefined) return { loss, layers, ...(alone && { figures: alone }) };
  const tokens = windows.reduce((all, { targets }) => all + targets.length, 0);
  return { loss, layers, figures: { ...alone, loss_per_character: (loss * tokens) / characters } };
}

/** Characters begin with a byte that continues none. */
function charactersIn(windows: readonly Batch[], tokenizer: Tokenizer): number | undefined {
  if (tokenizer.kind === 'character') return undefined;
  const begun = Array.from({ length: tokenizer.size }, (_, id) =>
    tokenizer.bytesOf(id).reduce((all, byte) => all + ((byte & 0xc0) === 0x80 ? 0 : 1), 0),
  );
  let characters = 0;
  for (const { targets } of windows) for (const id of targets) characters += begun[id] ?? 0;
  return characters;
}

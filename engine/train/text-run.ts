import type { Player } from '../backends/backend.ts';
import type { TextSpec } from '../checkpoint/checkpoint.ts';
import type { TokenizerReference } from '../checkpoint/spec-members.ts';
import { textRecordOf } from '../checkpoint/text-record.ts';
import { tokenizerReferenceOf } from '../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../data/corpus.ts';
import { splitCorpus } from '../data/split.ts';
import type { Tokenizer } from '../data/tokenizer.ts';
import { type Batch, createWindowSampler, spreadWindows } from '../data/windows.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { EvaluateProgram } from '../models/dense-chronospike/programs.ts';
import { packClock } from '../ops/step-inputs.ts';
import { clearCounts, readActivity } from './activity-meter.ts';
import { checkResume } from './resume.ts';
import type { BatchFeed, RunOptions, TrainingRun, Validation } from './run.ts';
import { type RunParts, startRun, type StepProgram } from './run-loop.ts';

/** A step of training that takes token ids and the tokens that follow, `u32[batch * sequence]` each. */
export interface TextStep extends StepProgram {
  readonly ids: Tensor;
  readonly targets: Tensor;
}

/** What a family that learns to predict the next token gives to its run. */
export interface TextParts extends Pick<
  RunParts,
  'generator' | 'observer' | 'start' | 'kept' | 'keptForTraining'
> {
  readonly layout: ParameterLayout;
  readonly programs: readonly Program[];
  readonly train: TextStep;
  readonly evaluate: EvaluateProgram;
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** Chances of each neuron to fire for a token. */
  readonly timeSteps: number;
  /** The model_spec, given what it says of the tokenizer. */
  readonly spec: (tokenizer: TokenizerReference) => TextSpec;
}

/** Batches of a validation queued at once: few, so that text is generated and neurons are observed meanwhile. */
const QUEUE_BATCHES = 4;
const VALIDATION_WINDOWS = 256;

/**
 * Starts a run that learns from random windows of a text's first 90 % and is validated on windows spread
 * over the last 10 %. Throws EngineError `text-too-short` and, for a run that goes on, `checkpoint-mismatch`.
 */
export async function startTextRun(
  options: RunOptions,
  corpus: Corpus,
  parts: TextParts,
): Promise<TrainingRun> {
  const { settings, resume, dataSeed = settings.seed } = options;
  const { batch } = settings;
  const { sequence, train } = parts;
  const spec = parts.spec(tokenizerReferenceOf(corpus.tokenizer));
  const data = dataOf(corpus);
  if (resume) checkResume(resume, { spec, data });
  const { train: range, validation } = splitCorpus(corpus, sequence);
  const sampler = createWindowSampler(corpus, range, { batch, sequence }, dataSeed);
  const windows = await spreadWindows(corpus, validation, { batch, sequence }, VALIDATION_WINDOWS);
  const feed: BatchFeed = {
    ...sampler,
    write(player, step) {
      const { ids, targets } = sampler.batch(step);
      player.write(train.ids, ids);
      player.write(train.targets, targets);
    },
  };
  const chances = windows.length * batch * sequence * parts.timeSteps;
  const characters = charactersIn(windows, corpus.tokenizer);
  return startRun(options, {
    ...parts,
    spec,
    data,
    feed,
    tokenizer: corpus.tokenizer,
    itemsPerStep: batch * sequence,
    validate: (player) => validateOn(player, parts.evaluate, { windows, chances, characters }),
  });
}

/** What a checkpoint says of the text. */
function dataOf({ name, digest, characters, length, preparation }: Corpus) {
  return {
    name,
    sha256: digest,
    characters,
    tokens: length,
    text: textRecordOf(preparation),
  };
}

interface ValidationSet {
  readonly windows: readonly Batch[];
  /** Time steps in which each neuron could have fired. */
  readonly chances: number;
  /** Characters that are predicted; undefined where every token is one. */
  readonly characters: number | undefined;
}

async function validateOn(
  player: Player,
  evaluate: EvaluateProgram,
  { windows, chances, characters }: ValidationSet,
): Promise<Validation> {
  clearCounts(player, evaluate.layers);
  let sum = 0;
  for (let first = 0; first < windows.length; first += QUEUE_BATCHES) {
    const batches = windows.slice(first, first + QUEUE_BATCHES);
    for (const [slot, { ids, targets }] of batches.entries()) {
      player.write(evaluate.ids, ids);
      player.write(evaluate.targets, targets);
      player.write(evaluate.clock, packClock({ step: 0, slot, seed: [0, 0] }));
      player.play(evaluate.program);
    }
    const losses = (await player.read(evaluate.losses)).subarray(0, batches.length);
    for (const loss of losses) sum += loss;
  }
  const layers = await readActivity(player, evaluate.layers, chances);
  const loss = sum / windows.length;
  if (characters === undefined) return { loss, layers };
  const tokens = windows.reduce((all, { targets }) => all + targets.length, 0);
  return { loss, layers, figures: { loss_per_character: (loss * tokens) / characters } };
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

import { settingsOf } from '../checkpoint/training-state.ts';
import type { Corpus } from '../data/corpus/corpus.ts';
import { type TokenRange, validationStart } from '../data/corpus/corpus.ts';
import { countWindows } from '../data/corpus/windows.ts';
import { openText } from '../datasets/text-data.ts';
import { EngineError } from '../errors.ts';
import type { NgramModel } from '../ngrams/kneser-ney.ts';
import { ngramModelOf } from '../ngrams/stored.ts';
import type {
  EvaluationChoice,
  EvaluationSources,
  Evaluator,
  Opened,
  OpenedEvaluation,
} from './evaluator.ts';
import { streamWithNgrams, windowsWithNgrams } from './ngram-scorers.ts';
import type { SplitName } from './report.ts';
import { leftOut } from './sections.ts';
import {
  evaluateStream,
  evaluateWindows,
  type JudgedText,
  predictable,
  type StreamScorer,
  type WindowScorer,
} from './text-evaluator.ts';
import { tokenSizes } from './text-meter.ts';

/** A stored model of text, as its family opens it. */
interface TextModel {
  openStream(slots: number): Promise<StreamScorer & Opened>;
  openWindows(): Promise<WindowScorer & Opened>;
}

/** Makes a model of text ready to be judged by a part of a text. Throws as `openText`. */
export async function openTextEvaluation(
  { stored, data, choice, openStore, signal }: EvaluationSources,
  model: TextModel,
): Promise<OpenedEvaluation> {
  checkChoice(choice);
  // Read as it was for training, by the model's own tokens.
  const settings = settingsOf(stored.execution, stored.spec.architecture);
  const given = { ...(openStore && { openStore }), ...(signal && { signal }) };
  const { corpus } = await openText(data, settings, {
    base: stored,
    unknown: 'leave out',
    ...given,
  });
  try {
    return await openJudged(corpus, withTables(model, ngramModelOf(stored)), choice);
  } catch (error) {
    await corpus.close();
    throw error;
  }
}

/** The same model with the log-probabilities of its n-gram tables in its logits, where it has any. */
function withTables(model: TextModel, tables: NgramModel | undefined): TextModel {
  if (!tables) return model;
  return {
    openStream: async (slots) => streamWithNgrams(await model.openStream(slots), tables),
    openWindows: async () => windowsWithNgrams(await model.openWindows(), tables),
  };
}

async function openJudged(
  corpus: Corpus,
  model: TextModel,
  choice: EvaluationChoice,
): Promise<OpenedEvaluation> {
  const part = rangeOf(corpus.length, choice.split);
  // Windows lie where those of validation do, and do not look at the token before them.
  const range = choice.windows === undefined ? predictable(part) : part;
  const text = { corpus, range, sizes: tokenSizes(corpus.tokenizer) };
  checkLength(text);
  return {
    evaluator: await openEvaluator(model, text, choice),
    data: {
      name: corpus.name,
      sha256: corpus.digest,
      split: choice.split,
      first: range.start,
      end: range.end,
      length: corpus.length,
      ...leftOut(corpus.unknown),
    },
  };
}

async function openEvaluator(
  model: TextModel,
  text: JudgedText,
  { streams, windows }: EvaluationChoice,
): Promise<Evaluator> {
  const { range } = text;
  if (windows === undefined) {
    const total = range.end - range.start;
    const scorer = await model.openStream(Math.min(streams, total));
    return {
      unit: 'token',
      total,
      memory: scorer.memory,
      run: (watch) => evaluateStream(scorer, text, watch),
      close: () => closeBoth(scorer, text),
    };
  }
  const scorer = await model.openWindows();
  return {
    unit: 'token',
    total: countWindows(range, scorer, windows) * scorer.sequence,
    memory: scorer.memory,
    run: (watch) => evaluateWindows(scorer, text, windows, watch),
    close: () => closeBoth(scorer, text),
  };
}

function closeBoth(scorer: Opened, { corpus }: JudgedText): void {
  scorer.close();
  void corpus.close();
}

function rangeOf(length: number, split: SplitName): TokenRange {
  const cut = validationStart(length);
  switch (split) {
    case 'all':
      return { start: 0, end: length };
    case 'train':
      return { start: 0, end: cut };
    case 'validation':
      return { start: cut, end: length };
  }
}

/** Streams that are read at once: each has a state and a row of every tensor of its own. */
const MAX_STREAMS = 1024;

function checkChoice({ streams, windows }: EvaluationChoice): void {
  if (streams > MAX_STREAMS) {
    throw new EngineError(
      'invalid-setting',
      `streams is ${streams}: expected a whole number from 1 to ${MAX_STREAMS}`,
    );
  }
  for (const [name, value] of Object.entries({ streams, windows })) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) continue;
    throw new EngineError(
      'invalid-setting',
      `${name} is ${value}: expected a whole number of at least 1`,
    );
  }
}

function checkLength({ corpus: { name, length, unknown }, range }: JudgedText): void {
  if (range.end - range.start >= 1) return;
  throw new EngineError(
    'text-too-short',
    `${name} has ${length} tokens${unknown > 0 ? `, and ${unknown} characters that the model does not know` : ''}: expected at least one to predict and one before it`,
  );
}

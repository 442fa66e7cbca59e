import type { Corpus } from '../data/corpus/corpus.ts';
import type { TokenRange } from '../data/corpus/corpus.ts';
import { countWindows, spreadWindows } from '../data/corpus/windows.ts';
import type { Evaluated, EvaluationWatch } from './evaluator.ts';
import {
  contextBins,
  createLanguageTally,
  equalBins,
  type LanguageTally,
} from './language-tally.ts';
import type { LanguageSection } from './report.ts';
import { type RowScores, scoreRows } from './score-rows.ts';
import { type SpikeCounts, spikeSections } from './sections.ts';
import type { TokenSizes } from './text-meter.ts';

/** One token for the sequence of one slot. */
export interface SlotRead {
  readonly slot: number;
  readonly token: number;
}

/** A model that reads one token of each of some texts at a time and carries the state of each. */
export interface StreamScorer {
  /** Texts that can be read at once. */
  readonly slots: number;
  readonly vocabulary: number;
  /** Tokens after which what came before hardly counts: a part is begun so many early. */
  readonly memoryTokens: number;
  /** The next token that `slot` reads begins a new text. */
  clear(slot: number): void;
  /** Reads a token for each of some slots; `[reads, vocabulary]` logits of the tokens after them. */
  read(reads: readonly SlotRead[]): Promise<Float32Array>;
  /** Spike counts over the last `units` tokens; called regularly, so that no count overflows. */
  spikes?(units: number): Promise<SpikeCounts>;
}

/** A model that reads windows, each without context. */
export interface WindowScorer {
  readonly batch: number;
  /** Tokens of a window. */
  readonly sequence: number;
  readonly vocabulary: number;
  /** `[batch * sequence, vocabulary]` logits of the tokens after each of `ids u32[batch * sequence]`. */
  read(ids: Uint32Array): Promise<Float32Array>;
  spikes?(units: number): Promise<SpikeCounts>;
}

/**
 * A text and the part of it that a model is judged by. A stream predicts every token of the range, from
 * the one before it; windows predict all but their first.
 */
export interface JudgedText {
  readonly corpus: Corpus;
  readonly range: TokenRange;
  readonly sizes: TokenSizes;
}

/** Tokens of a piece that is resampled as one: fewer in a short text, more in one of many pieces. */
const PIECE_TOKENS = 256;
const MIN_PIECE_TOKENS = 32;
const ENOUGH_PIECES = 64;
const MAX_PIECES = 4096;
/** Tokens between two looks at the counts of spikes. */
const COUNT_EVERY = 1 << 16;

/** A range without the first token of a text, before which there is nothing. */
export function predictable({ start, end }: TokenRange): TokenRange {
  return { start: Math.max(1, start), end };
}

/**
 * Reads the text from end to end with carried state and scores every token; the first is predicted
 * from the one before it. With several slots the text is cut into as many parts, each begun
 * `memoryTokens` early.
 */
export async function evaluateStream(
  scorer: StreamScorer,
  text: JudgedText,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const { range } = text;
  const total = range.end - range.start;
  const parts = cutParts(range, Math.min(scorer.slots, total));
  const longest = Math.max(...parts.map(({ start, end }) => end - start));
  const piece = pieceTokens(total);
  const tally = createLanguageTally(text.sizes, equalBins(total));
  const spikes = createSpikeWatch(scorer);
  const started = performance.now();
  let done = 0;
  await spikes.read(await begin(scorer, text.corpus, parts));
  for (let at = 0; at < longest; at += piece) {
    if (signal?.aborted) break;
    const pieces = await readPieces(text.corpus, parts, at, piece);
    for (const [slot, { targets, scores }] of (await scorePieces(scorer, pieces)).entries()) {
      if (targets.length === 0) continue;
      const position = (parts[slot]?.start ?? 0) + at - range.start + 1;
      tally.add({ targets, scores, position });
      done += targets.length;
      await spikes.read(targets.length);
    }
    onProgress?.(done);
  }
  const seconds = secondsSince(started);
  const form = { form: 'stream', rows: parts.length, window: null } as const;
  return { done, seconds, findings: findingsOf(tally, form, await spikes.counts()) };
}

/** Looks at the counts of spikes before a counter on the device could have gone round. */
function createSpikeWatch(scorer: StreamScorer) {
  let [tokens, counted] = [0, 0];
  return {
    async read(more: number) {
      tokens += more;
      if (tokens - counted < COUNT_EVERY) return;
      counted = tokens;
      await scorer.spikes?.(tokens);
    },
    counts: async () => scorer.spikes?.(tokens),
  };
}

function pieceTokens(total: number): number {
  const fitting = Math.min(PIECE_TOKENS, Math.floor(total / ENOUGH_PIECES));
  return Math.max(MIN_PIECE_TOKENS, fitting, Math.ceil(total / MAX_PIECES));
}

/** Parts of equal length but for one token. */
function cutParts({ start, end }: TokenRange, count: number): TokenRange[] {
  const edge = (i: number) => start + Math.floor((i * (end - start)) / count);
  return Array.from({ length: count }, (_, i) => ({ start: edge(i), end: edge(i + 1) }));
}

/** Reads what every part but the first has in front of it; returns the tokens that were read. */
async function begin(
  scorer: StreamScorer,
  corpus: Corpus,
  parts: readonly TokenRange[],
): Promise<number> {
  const first = parts[0]?.start ?? 0;
  const early = await Promise.all(
    parts.map(({ start }) =>
      corpus.read(Math.max(first, start - 1 - scorer.memoryTokens), Math.max(first, start - 1)),
    ),
  );
  for (const slot of parts.keys()) scorer.clear(slot);
  const longest = Math.max(...early.map(({ length }) => length));
  for (let i = 0; i < longest; i++) {
    await scorer.read(
      early.flatMap((tokens, slot) => (i < tokens.length ? { slot, token: tokens[i] ?? 0 } : [])),
    );
  }
  return early.reduce((sum, { length }) => sum + length, 0);
}

/** The tokens of each part from `at` on, with the one before them; none where a part has ended. */
function readPieces(
  corpus: Corpus,
  parts: readonly TokenRange[],
  at: number,
  piece: number,
): Promise<Uint32Array[]> {
  return Promise.all(
    parts.map(async ({ start, end }) => {
      const first = start + at;
      if (first >= end) return new Uint32Array(0);
      return corpus.read(first - 1, Math.min(first + piece, end));
    }),
  );
}

interface ScoredPiece {
  readonly targets: Uint32Array;
  readonly scores: RowScores;
}

async function scorePieces(
  scorer: StreamScorer,
  pieces: readonly Uint32Array[],
): Promise<readonly ScoredPiece[]> {
  const scored = pieces.map((tokens) => ({
    targets: tokens.subarray(1),
    scores: emptyScores(Math.max(0, tokens.length - 1)),
  }));
  const longest = Math.max(...scored.map(({ targets }) => targets.length));
  for (let i = 0; i < longest; i++) {
    const active = scored.flatMap(({ targets }, slot) => (i < targets.length ? slot : []));
    const logits = await scorer.read(
      active.map((slot) => ({ slot, token: pieces[slot]?.[i] ?? 0 })),
    );
    const targets = active.map((slot) => scored[slot]?.targets[i] ?? 0);
    const rows = scoreRows(logits, targets, scorer.vocabulary);
    for (const [row, slot] of active.entries()) copyRow(rows, row, scored[slot]?.scores, i);
  }
  return scored;
}

function emptyScores(rows: number): RowScores {
  return {
    losses: new Float64Array(rows),
    confidences: new Float64Array(rows),
    answers: new Uint32Array(rows),
  };
}

function copyRow(from: RowScores, row: number, to: RowScores | undefined, at: number): void {
  if (!to) return;
  to.losses[at] = from.losses[row] ?? Number.NaN;
  to.confidences[at] = from.confidences[row] ?? Number.NaN;
  to.answers[at] = from.answers[row] ?? 0;
}

/**
 * Scores at most `most` windows spread over the text, each without context: those of a validation in batches of as many.
 * Throws EngineError `text-too-short` for a range without a window.
 */
export async function evaluateWindows(
  scorer: WindowScorer,
  { corpus, range, sizes }: JudgedText,
  most: number,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const { batch, sequence, vocabulary } = scorer;
  const windows = countWindows(range, scorer, most);
  const batches = await spreadWindows(corpus, range, { batch, sequence }, most);
  const tally = createLanguageTally(sizes, contextBins(sequence));
  const started = performance.now();
  let [done, read] = [0, 0];
  for (const [index, { ids, targets }] of batches.entries()) {
    if (signal?.aborted) break;
    const logits = await scorer.read(ids);
    read += batch;
    for (let row = 0; row < batch && index * batch + row < windows; row++) {
      const own = targets.subarray(row * sequence, (row + 1) * sequence);
      const rows = logits.subarray(row * sequence * vocabulary, (row + 1) * sequence * vocabulary);
      tally.add({ targets: own, scores: scoreRows(rows, own, vocabulary), position: 1 });
      done += sequence;
    }
    onProgress?.(done);
  }
  const seconds = secondsSince(started);
  const form = { form: 'windows', rows: batch, window: sequence } as const;
  const spikes = await scorer.spikes?.(read * sequence);
  return { done, seconds, findings: findingsOf(tally, form, spikes) };
}

function findingsOf(
  tally: LanguageTally,
  form: Pick<LanguageSection, 'form' | 'rows' | 'window'>,
  spikes: SpikeCounts | undefined,
) {
  const language = tally.section(form);
  return {
    ...(language && { language }),
    ...(spikes && spikes.units > 0 && spikeSections(spikes)),
  };
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

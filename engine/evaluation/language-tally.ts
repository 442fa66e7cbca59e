import { createMeanBootstrap } from './bootstrap.ts';
import { createCalibrationMeter } from './calibration.ts';
import type { LanguageSection } from './report.ts';
import type { RowScores } from './score-rows.ts';
import { calibrationSection } from './sections.ts';
import { createTextMeter, sizeOfTokens, type TokenSizes } from './text-meter.ts';

/** Where losses are looked at: bins of positions, each with its first; the last ends where `end` says. */
interface PositionBins {
  readonly firsts: readonly number[];
  /** The last position of all, counted from 1. */
  readonly last: number;
}

/** Equal parts of a text of so many tokens. */
export function equalBins(tokens: number, most = 64): PositionBins {
  const count = Math.min(most, tokens);
  const firsts = Array.from({ length: count }, (_, i) => 1 + Math.floor((i * tokens) / count));
  return { firsts, last: tokens };
}

/** By tokens of context: every one up to 4, then four bins for each time that it doubles. */
export function contextBins(window: number): PositionBins {
  const count = Math.ceil(4 * Math.log2(window)) + 1;
  const edges = Array.from({ length: count }, (_, i) => Math.floor(2 ** (i / 4)));
  return { firsts: [...new Set(edges)].filter((edge) => edge <= window), last: window };
}

/** Some consecutive tokens that were scored. */
interface ScoredTokens {
  readonly targets: Uint32Array;
  readonly scores: RowScores;
  /** The position of the first, counted from 1. */
  readonly position: number;
}

/** Adds up what a model said about a text, in memory that does not grow with it. */
export interface LanguageTally {
  /** An independent piece: consecutive tokens of a stream, or a window. */
  add(piece: ScoredTokens): void;
  /** Of all that has been added; null before anything was. */
  section(form: Pick<LanguageSection, 'form' | 'rows' | 'window'>): LanguageSection | null;
}

export function createLanguageTally(sizes: TokenSizes, bins: PositionBins): LanguageTally {
  const meter = createTextMeter();
  const calibration = createCalibrationMeter();
  const bootstrap = createMeanBootstrap();
  const places = createPositionTally(bins);
  let [right, pieces] = [0, 0];
  return {
    add({ targets, scores: { losses, confidences, answers }, position }) {
      const size = sizeOfTokens(targets, sizes);
      meter.add(losses, size);
      const nats = losses.reduce((sum, loss) => sum + loss, 0);
      // A piece within one character has none that begins; it counts with its neighbours.
      if (size.characters > 0) bootstrap.add(nats, size.characters);
      pieces += 1;
      for (const [i, target] of targets.entries()) {
        const isRight = answers[i] === target;
        if (isRight) right += 1;
        calibration.add(confidences[i] ?? Number.NaN, isRight);
        places.add(position + i, losses[i] ?? Number.NaN);
      }
    },
    section(form) {
      const [figures, interval, calibrated] = [
        meter.figures(),
        bootstrap.interval(),
        calibration.figures(),
      ];
      if (!figures || !interval || !calibrated) return null;
      return {
        ...form,
        tokens: figures.tokens,
        characters: figures.characters,
        bytes: figures.bytes,
        nats_per_token: figures.natsPerToken,
        perplexity: figures.perplexity,
        nats_per_character: figures.natsPerCharacter,
        bits_per_character: figures.bitsPerCharacter,
        nats_per_byte: figures.natsPerByte,
        bits_per_byte: figures.bitsPerByte,
        interval,
        pieces,
        accuracy: right / figures.tokens,
        calibration: calibrationSection(calibrated),
        positions: places.section(),
      };
    },
  };
}

/** Sums losses by the bin that their position lies in; positions may come in any order. */
function createPositionTally({ firsts, last }: PositionBins) {
  const [sums, counts] = [new Float64Array(firsts.length), new Float64Array(firsts.length)];
  /** Of the position before: the next one lies in the same bin or the one behind it. */
  let bin = 0;
  const endOf = (index: number) => firsts[index + 1] ?? last + 1;
  return {
    add(position: number, loss: number) {
      if (position < (firsts[bin] ?? 0)) bin = 0;
      while (bin < firsts.length - 1 && position >= endOf(bin)) bin += 1;
      sums[bin] = (sums[bin] ?? 0) + loss;
      counts[bin] = (counts[bin] ?? 0) + 1;
    },
    section: () =>
      firsts.flatMap((first, index) => {
        const tokens = counts[index] ?? 0;
        if (tokens === 0) return [];
        const natsPerToken = (sums[index] ?? 0) / tokens;
        return [{ first, last: endOf(index) - 1, tokens, nats_per_token: natsPerToken }];
      }),
  };
}

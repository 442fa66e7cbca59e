import { EngineError } from '../errors.ts';
import { createMeanBootstrap } from './bootstrap.ts';
import type { Evaluated, EvaluationWatch } from './evaluator.ts';
import { pairRetrieval } from './retrieval.ts';
import { ranksSection, type SpikeCounts, spikeSections } from './sections.ts';

/** A model of captions beside pictures; both are named by their place among the pairs. */
export interface CaptionScorer {
  readonly pairs: number;
  /** Tokens of the caption that are predicted, its end among them. */
  tokensOf(caption: number): number;
  /** Negative log-likelihoods in nats of one whole caption beside each of some pictures. */
  read(caption: number, pictures: readonly number[]): Promise<Float64Array>;
  /** What the neurons did while `units` captions were read. */
  spikes?(units: number): Promise<SpikeCounts>;
}

/**
 * Reads every caption beside every picture. A pair is as similar as the picture makes the caption
 * likelier than pictures do on average (pointwise mutual information): raw likelihoods would prefer short
 * captions. One that is interrupted says nothing about retrieval, which needs all pairs.
 */
export async function evaluateCaptions(
  scorer: CaptionScorer,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const { pairs } = scorer;
  if (!(Number.isSafeInteger(pairs) && pairs >= 2)) {
    throw new EngineError('invalid-setting', `${pairs} captioned pictures: expected at least 2`);
  }
  const pictures = Array.from({ length: pairs }, (_, i) => i);
  const similarities = new Float64Array(pairs ** 2);
  const tally = createMatchTally();
  const started = performance.now();
  let done = 0;
  for (let caption = 0; caption < pairs && !signal?.aborted; caption++) {
    const nats = await scorer.read(caption, pictures);
    const own = nats[caption] ?? Number.NaN;
    const all = nats.reduce((sum, loss) => sum + loss, 0);
    tally.add(own, (all - own) / (pairs - 1), scorer.tokensOf(caption));
    for (const [picture, loss] of nats.entries()) {
      similarities[caption * pairs + picture] = all / pairs - loss;
    }
    done += 1;
    onProgress?.(done);
  }
  const seconds = (performance.now() - started) / 1000;
  const spikes = done > 0 ? await scorer.spikes?.(done * pairs) : undefined;
  const matches = tally.section();
  const isWhole = done === pairs;
  return {
    done,
    seconds,
    findings: {
      ...(matches &&
        isWhole && { retrieval: { pairs, ...ranksOf(similarities, pairs), ...matches } }),
      ...(spikes && spikeSections(spikes)),
    },
  };
}

function ranksOf(similarities: Float64Array, pairs: number) {
  const { forward, backward } = pairRetrieval(similarities, pairs);
  return { pictures: ranksSection(forward), captions: ranksSection(backward) };
}

/** Losses beside the right picture and beside others, in nats per token. */
function createMatchTally() {
  const gain = createMeanBootstrap();
  let [matched, shuffled, tokens] = [0, 0, 0];
  return {
    add(own: number, others: number, count: number) {
      matched += own;
      shuffled += others;
      tokens += count;
      gain.add(others - own, count);
    },
    section() {
      const interval = gain.interval();
      if (!interval) return null;
      return {
        matched_nats: matched / tokens,
        shuffled_nats: shuffled / tokens,
        gain: interval,
      };
    },
  };
}

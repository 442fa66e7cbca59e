import { EngineError } from '../errors.ts';
import { createMeanBootstrap } from './bootstrap.ts';
import type { Evaluated, EvaluationWatch } from './evaluator.ts';
import type { RetrievalSection } from './report.ts';
import { pairRetrieval } from './retrieval.ts';
import { ranksSection, type SpikeCounts, spikeSections } from './sections.ts';

/** Cost of a caption. */
interface ReadCaption {
  /** Its negative log-likelihood in nats beside each image. */
  readonly nats: Float64Array;
  /** Tokens that were predicted, its end among them. */
  readonly tokens: number;
}

/** A model of captions beside images; both are named by their place among the pairs. */
export interface CaptionScorer {
  readonly pairs: number;
  /** One whole caption beside each of some images. */
  read(caption: number, pictures: readonly number[]): Promise<ReadCaption>;
  /** Spikes while `units` captions were read. */
  spikes?(units: number): Promise<SpikeCounts>;
}

/**
 * Reads every caption beside every image. A pair is as similar as the image makes the caption
 * likelier than images do on average (pointwise mutual information): raw likelihoods would prefer short
 * captions. One that is interrupted says nothing about retrieval, which needs all pairs.
 */
export async function evaluateCaptions(
  scorer: CaptionScorer,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const { pairs } = scorer;
  checkPairs(pairs);
  const pictures = Array.from({ length: pairs }, (_, i) => i);
  const tally = createPairTally(pairs);
  const started = performance.now();
  let done = 0;
  for (const caption of pictures) {
    if (signal?.aborted) break;
    tally.add(caption, await scorer.read(caption, pictures));
    done += 1;
    onProgress?.(done);
  }
  const seconds = (performance.now() - started) / 1000;
  const retrieval = tally.section();
  const spikes = done > 0 ? await scorer.spikes?.(done * pairs) : undefined;
  return {
    done,
    seconds,
    findings: { ...(retrieval && { retrieval }), ...(spikes && spikeSections(spikes)) },
  };
}

/** Losses of captions beside the right image and beside all others. */
function createPairTally(pairs: number) {
  const similarities = new Float64Array(pairs ** 2);
  const gain = createMeanBootstrap();
  let [captions, matched, shuffled, tokens] = [0, 0, 0, 0];
  return {
    add(caption: number, { nats, tokens: count }: ReadCaption) {
      const own = nats[caption] ?? Number.NaN;
      const all = nats.reduce((sum, loss) => sum + loss, 0);
      const others = (all - own) / (pairs - 1);
      captions += 1;
      matched += own;
      shuffled += others;
      tokens += count;
      gain.add(others - own, count);
      for (const [picture, loss] of nats.entries()) {
        similarities[caption * pairs + picture] = all / pairs - loss;
      }
    },
    /** Null before all captions were added. */
    section(): RetrievalSection | null {
      const interval = gain.interval();
      if (!interval || captions < pairs) return null;
      const { forward, backward } = pairRetrieval(similarities, pairs);
      return {
        pairs,
        pictures: ranksSection(forward),
        captions: ranksSection(backward),
        matched_nats: matched / tokens,
        shuffled_nats: shuffled / tokens,
        gain: interval,
      };
    },
  };
}

function checkPairs(pairs: number): void {
  if (Number.isSafeInteger(pairs) && pairs >= 2) return;
  throw new EngineError('invalid-setting', `${pairs} captioned pictures: expected at least 2`);
}

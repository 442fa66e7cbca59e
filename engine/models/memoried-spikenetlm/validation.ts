import type { Player } from '../../backends/backend.ts';
import { clearCounts, readActivity } from '../../train/activity-meter.ts';
import type { Validation } from '../../train/run.ts';
import { type AskedModel, createStreamAnswers } from './answers.ts';

/** Places of the streams that are learned from, and of those that are asked. */
export interface StreamParts {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/**
 * Nats a token of streams that are held back, of all and by modality, each beside what token frequencies
 * cost; and how often the pooled head knows the class of a stream, beside the share of the commonest.
 */
export async function validateStreams(
  player: Player,
  model: AskedModel,
  { train, test }: StreamParts,
): Promise<Validation> {
  const { structure, evaluate, batch } = model;
  clearCounts(player, evaluate.layers);
  const answers = createStreamAnswers(model);
  for (let first = 0; first < test.length; first += batch) {
    await answers.ask(player, test.slice(first, first + batch));
  }
  const { tokens, loss, unigram, parts, ...classes } = answers.costs(train);
  const ofParts = parts.flatMap((part) => [
    [`${part.modality}_loss`, part.loss] as const,
    [`${part.modality}_unigram`, part.unigram] as const,
  ]);
  return {
    loss,
    layers: await readActivity(player, evaluate.layers, tokens * structure.topK),
    figures: {
      unigram_loss: unigram,
      ...Object.fromEntries(ofParts),
      ...(structure.classes > 1 && {
        class_accuracy: classes.classAccuracy,
        class_majority: classes.classMajority,
      }),
    },
  };
}

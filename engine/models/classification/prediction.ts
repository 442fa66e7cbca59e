import type { DecodedImage } from '../../data/images/png.ts';
import type { AudioClip } from '../../data/audio/wav.ts';
import type { OpenedClassifier } from './class-scorer.ts';
import type { SpikeUse } from '../../evaluation/spike-use.ts';
import { softmax } from '../../numbers.ts';

/** Decoded media to classify. */
export type Media =
  | { readonly kind: 'image'; readonly picture: DecodedImage }
  | { readonly kind: 'audio'; readonly sound: AudioClip };

/** A prediction of a classifier. */
interface Prediction {
  /** By the number of the class; they sum to 1. */
  readonly probabilities: readonly number[];
  readonly use: SpikeUse;
}

/** A stored classifier of images or audio. */
export interface ClassModel {
  /** Throws EngineError as `checkMedia`. One call at a time. */
  answer(media: Media): Promise<Prediction>;
  close(): void;
}

/** Names of all classes of a model: those it has never seen an example of go by their numbers. */
export function classLabels(classNames: readonly string[], classes: number): readonly string[] {
  return Array.from({ length: classes }, (_, label) => classNames[label] ?? `${label}`);
}

/** The prediction for one input. */
export async function predictionOf(
  scorer: OpenedClassifier,
  inputs: Float32Array,
): Promise<Prediction> {
  scorer.clear();
  const probabilities = softmax(await scorer.read(inputs));
  const counts = await scorer.spikes?.(1);
  if (!counts) throw new Error('a scorer that was given its work counts no spikes');
  return { probabilities, use: counts.use };
}

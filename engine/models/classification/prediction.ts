import type { Picture } from '../../data/png.ts';
import type { Sound } from '../../data/wav.ts';
import type { OpenedClassifier } from './class-scorer.ts';
import type { SpikeUse } from '../../evaluation/spike-use.ts';

/** What is to be told apart, decoded. */
export type Media =
  | { readonly kind: 'image'; readonly picture: Picture }
  | { readonly kind: 'audio'; readonly sound: Sound };

/** What a model takes something for. */
export interface Prediction {
  /** By the number of the class; they sum to 1. */
  readonly probabilities: readonly number[];
  readonly use: SpikeUse;
}

/** A stored model that tells pictures or sounds apart. */
export interface ClassModel {
  /** Throws EngineError as `checkMedia`. One call at a time. */
  answer(media: Media): Promise<Prediction>;
  close(): void;
}

/** Names of all classes of a model: those it has never seen an example of go by their numbers. */
export function classLabels(classNames: readonly string[], classes: number): readonly string[] {
  return Array.from({ length: classes }, (_, label) => classNames[label] ?? `${label}`);
}

/** What a classifier that reads one input at a time says to this one. */
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

/** Scores as probabilities. */
export function softmax(scores: Float32Array): number[] {
  const largest = Math.max(...scores);
  const powers = Array.from(scores, (score) => Math.exp(score - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

import type { Backend, Player } from '../../graph/backend.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { type Tensor, wordCount } from '../../graph/tensor.ts';
import { keyOf, philox, uniformFrom } from '../../random/philox.ts';
import {
  createLearned,
  type StepProgram,
  traceAnswering,
  traceLearning,
  traceNormalising,
} from './programs.ts';
import { checkStructure, type DiehlCookStructure } from './structure.ts';

interface DiehlCookOptions {
  readonly seed: number;
  /** Images that are answered at a time. */
  readonly batch: number;
}

/** Learns images one after another and says which neurons answer to an image. */
export interface DiehlCookNetwork {
  /** Shows an image of bytes, from black to white, and learns; queued, not waited for. */
  learn(image: Uint8Array): void;
  /** Spikes of every neuron to each of `batch` images, `[batch][neurons]`. Learns nothing. */
  answer(images: readonly Uint8Array[]): Promise<Float32Array>;
  /** `[inputs, neurons]` */
  weights(): Promise<Float32Array>;
  /** `[neurons]`: by how much each threshold has risen. */
  thresholds(): Promise<Float32Array>;
  close(): void;
}

/** First weights are drawn between 0 and this. */
const MAX_FIRST_WEIGHT = 0.3;

export async function openDiehlCook(
  backend: Backend,
  structure: DiehlCookStructure,
  { seed, batch }: DiehlCookOptions,
): Promise<DiehlCookNetwork> {
  checkStructure(structure);
  const layout = layOutParameters([]);
  const learned = createLearned(structure);
  const learning = traceLearning(layout, structure, learned);
  const answering = traceAnswering(layout, structure, learned, batch);
  const normalising = traceNormalising(layout, structure, learned);
  const programs = [learning.program, answering.program, normalising];
  const player = await backend.load(layout, programs);
  player.write(learned.weight, firstWeights(wordCount(learned.weight), seed));
  const [low, high] = keyOf(seed);
  player.write(learning.clock, Uint32Array.of(0, 0, low, high));
  // Inference draws from another seed than training.
  player.write(answering.clock, Uint32Array.of(0, 0, low, high ^ 0x8000_0000));
  const show = createShow(player, structure);
  return {
    learn(image) {
      player.play(normalising);
      show(learning, [image]);
    },
    async answer(images) {
      show(answering, images);
      // Counts are always read as f32.
      const counts = (await player.read(answering.counts)) as Float32Array;
      return counts.subarray(0, images.length * structure.neurons);
    },
    weights: async () => (await player.read(learned.weight)) as Float32Array,
    thresholds: async () => (await player.read(learned.theta)) as Float32Array,
    close: () => player.close(),
  };
}

/** Shows images to a program from rest, in arrays that every showing uses again. */
function createShow(player: Player, { inputs, steps, maxRateHz, dt }: DiehlCookStructure) {
  const zeros = new Map<Tensor, Float32Array | Uint32Array>();
  const zerosFor = (tensor: Tensor) => {
    const words = wordCount(tensor);
    const made = tensor.dtype === 'f32' ? new Float32Array(words) : new Uint32Array(words);
    const known = zeros.get(tensor) ?? made;
    zeros.set(tensor, known);
    return known;
  };
  const perGrey = (maxRateHz * dt) / 1000 / 255;
  return (step: StepProgram, images: readonly Uint8Array[]) => {
    const probabilities = new Float32Array(step.rows * inputs);
    for (const [row, image] of images.entries()) {
      for (let i = 0; i < inputs; i++) probabilities[row * inputs + i] = (image[i] ?? 0) * perGrey;
    }
    for (const tensor of step.state) player.write(tensor, zerosFor(tensor));
    player.write(step.probabilities, probabilities);
    player.play(step.program, steps);
  };
}

function firstWeights(count: number, seed: number): Float32Array {
  const key = keyOf(seed);
  return Float32Array.from({ length: count }, (_, i) => {
    const word = philox([i >>> 2, 0, 0, 1], key)[i & 3] ?? 0;
    return MAX_FIRST_WEIGHT * uniformFrom(word);
  });
}

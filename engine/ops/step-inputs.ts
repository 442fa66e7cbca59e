import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Key } from '../random/philox.ts';

/** What changes from step to step and is written by the host before each play. */
export interface Clock {
  /** Optimiser steps done before this one; the counter of random draws. */
  readonly step: number;
  /** Where this play's loss and norm land in their histories. */
  readonly slot: number;
  readonly seed: Key;
}

export interface Rates {
  readonly learningRate: number;
  readonly weightDecay: number;
  /** Largest global norm of the gradient. */
  readonly clipNorm: number;
  /** 1 - beta1^t and 1 - beta2^t for the t-th update. */
  readonly corrections: readonly [number, number];
}

/** `u32[4]`: step, slot, seed low, seed high. */
export function clockInput(graph: Graph): Tensor {
  return graph.local('clock', 'u32', [4]);
}

export function packClock({ step, slot, seed }: Clock): Uint32Array {
  return Uint32Array.of(step, slot, ...seed);
}

/** `f32[5]`: learning rate, weight decay, largest norm, 1 - beta1^t, 1 - beta2^t. */
export function ratesInput(graph: Graph): Tensor {
  return graph.local('rates', 'f32', [5]);
}

export function packRates({
  learningRate,
  weightDecay,
  clipNorm,
  corrections,
}: Rates): Float32Array {
  return Float32Array.of(learningRate, weightDecay, clipNorm, ...corrections);
}

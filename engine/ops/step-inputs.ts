import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Key } from '../random/philox.ts';

/** Inputs of a step that the host writes before each play. */
interface Clock {
  /** Optimiser steps done before this one; the counter of random draws. */
  readonly step: number;
  /** Slot of this play's loss and norm in their histories. */
  readonly slot: number;
  readonly seed: Key;
}

interface Rates {
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

/** Values of `clockInput`, `u32[4]`. */
export function packClock({ step, slot, seed }: Clock): Uint32Array {
  return Uint32Array.of(step, slot, ...seed);
}

/** `f32[5]`: learning rate, weight decay, largest norm, 1 - beta1^t, 1 - beta2^t. */
export function ratesInput(graph: Graph): Tensor {
  return graph.local('rates', 'f32', [5]);
}

/** Values of `ratesInput`, `f32[5]`. */
export function packRates({
  learningRate,
  weightDecay,
  clipNorm,
  corrections,
}: Rates): Float32Array {
  return Float32Array.of(learningRate, weightDecay, clipNorm, ...corrections);
}

/** Settings that are the same in every step. */
interface RunConstants extends Pick<Rates, 'weightDecay' | 'clipNorm'>, Pick<Clock, 'seed'> {
  readonly beta1: number;
  readonly beta2: number;
}

/** The clock and rates of one step after another, packed. */
export interface StepInputs {
  readonly clock: Uint32Array;
  readonly rates: Float32Array;
  /** Overwrites both for a step, whose loss and norm land in the slot of its number. */
  set(step: number, learningRate: number): void;
}

/** Inputs in arrays that every step uses again, so that training makes no garbage. */
export function createStepInputs(constants: RunConstants): StepInputs {
  const { seed, weightDecay, clipNorm, beta1, beta2 } = constants;
  const clock = packClock({ step: 0, slot: 0, seed });
  const rates = packRates({ learningRate: 0, weightDecay, clipNorm, corrections: [0, 0] });
  return {
    clock,
    rates,
    set(step, learningRate) {
      clock[0] = step;
      clock[1] = step;
      rates[0] = learningRate;
      rates[3] = 1 - beta1 ** (step + 1);
      rates[4] = 1 - beta2 ** (step + 1);
    },
  };
}

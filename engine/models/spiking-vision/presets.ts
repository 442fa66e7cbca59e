import type { Preset } from '../../families/facts.ts';

/** Convolutions tell more apart; the MLP is the network of snnTorch's tutorial 5 with half its neurons. */
export const visionPresets = {
  conv: { fields: { model_variant: 'conv', time_steps: 4 }, batch: 64, learningRate: 2e-3 },
  mlp: { fields: { model_variant: 'mlp', time_steps: 8 }, batch: 128, learningRate: 2e-3 },
} as const satisfies Record<string, Preset>;

import type { Preset } from '../../families/facts.ts';

/** Small is what a processor learns a small text with in half an hour; large is the example of the specification. */
export const sparsePresets = {
  small: { fields: { d_model: 512, num_blocks: 4, seq_len: 64 }, batch: 16, learningRate: 1e-2 },
  tiny: { fields: { d_model: 64, num_blocks: 2, seq_len: 32 }, batch: 8, learningRate: 1e-2 },
  base: { fields: { d_model: 1024, num_blocks: 6, seq_len: 128 }, batch: 16, learningRate: 5e-3 },
  large: { fields: { d_model: 2048, num_blocks: 12, seq_len: 256 }, batch: 16, learningRate: 2e-3 },
} as const satisfies Record<string, Preset>;

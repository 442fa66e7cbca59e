import type { Preset } from '../../families/facts.ts';

/** The sizes of dense_chronospike, for comparison, and the rates that suit a float model. */
export const transformerPresets = {
  tiny: preset([32, 2, 1, 32], 8, 1e-2),
  small: preset([128, 4, 4, 64], 8, 3e-3),
  base: preset([256, 8, 6, 128], 16, 1e-3),
  large: preset([512, 8, 12, 256], 16, 5e-4),
} as const satisfies Record<string, Preset>;

function preset(
  [width, heads, blocks, sequence]: readonly [number, number, number, number],
  batch: number,
  learningRate: number,
) {
  const fields = { d_model: width, n_heads: heads, num_blocks: blocks, seq_len: sequence };
  return { fields, batch, learningRate };
}

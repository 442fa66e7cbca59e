import type { Preset } from '../../families/facts.ts';

export type PresetName = 'tiny' | 'small' | 'base' | 'large';

/** Tiny is for a first look; the others are those of the specification. */
export const chronospikePresets = {
  tiny: preset([32, 2, 1, 2, 32], 8, 1e-2),
  small: preset([128, 4, 4, 4, 64], 16, 1e-4),
  base: preset([256, 8, 6, 4, 128], 16, 1e-4),
  large: preset([512, 8, 12, 4, 256], 16, 1e-4),
} as const satisfies Record<PresetName, Preset>;

function preset(
  [width, heads, blocks, steps, sequence]: readonly [number, number, number, number, number],
  batch: number,
  learningRate: number,
) {
  const fields = {
    d_model: width,
    n_heads: heads,
    num_blocks: blocks,
    time_steps: steps,
    seq_len: sequence,
  };
  return { fields, batch, learningRate };
}

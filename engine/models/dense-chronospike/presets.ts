import type { Preset } from '../../families/facts.ts';

export type PresetName = 'tiny' | 'small' | 'base' | 'large';

/** Tiny is for a first look; the others are those of the specification. */
export const chronospikePresets = {
  tiny: preset([32, 2, 1, 2], 32, 8, 1e-2),
  small: preset([128, 4, 4, 4], 64, 16, 1e-4),
  base: preset([256, 8, 6, 4], 128, 16, 1e-4),
  large: preset([512, 8, 12, 4], 256, 16, 1e-4),
} as const satisfies Record<PresetName, Preset>;

/** d_model, n_heads, num_blocks, time_steps. */
export type TrunkSizes = readonly [number, number, number, number];

/** The sizes of a trunk by their names on the wire, as every family that has one presets them. */
export function trunkFields([width, heads, blocks, steps]: TrunkSizes) {
  return { d_model: width, n_heads: heads, num_blocks: blocks, time_steps: steps };
}

function preset(sizes: TrunkSizes, sequence: number, batch: number, learningRate: number) {
  return { fields: { ...trunkFields(sizes), seq_len: sequence }, batch, learningRate };
}

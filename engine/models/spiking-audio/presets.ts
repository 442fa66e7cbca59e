import type { Preset } from '../../families/facts.ts';

export const audioPresets = {
  small: { fields: {}, batch: 32, learningRate: 5e-3 },
} as const satisfies Record<string, Preset>;

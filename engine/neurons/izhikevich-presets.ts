/**
 * Firing types of Izhikevich (2003), IEEE Transactions on Neural Networks 14:1569, figure 2: regular
 * spiking, intrinsically bursting, chattering, fast spiking, low-threshold spiking, thalamo-cortical, resonator.
 */
export const izhikevichPresets = {
  RS: { a: 0.02, b: 0.2, c: -65, d: 8 },
  IB: { a: 0.02, b: 0.2, c: -55, d: 4 },
  CH: { a: 0.02, b: 0.2, c: -50, d: 2 },
  FS: { a: 0.1, b: 0.2, c: -65, d: 2 },
  LTS: { a: 0.02, b: 0.25, c: -65, d: 2 },
  TC: { a: 0.02, b: 0.25, c: -65, d: 0.05 },
  RZ: { a: 0.1, b: 0.26, c: -65, d: 2 },
} as const;

export type IzhikevichPreset = keyof typeof izhikevichPresets;

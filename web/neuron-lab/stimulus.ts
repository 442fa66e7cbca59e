export const STIMULI = ['constant', 'step', 'ramp', 'pulses', 'sine', 'noise'] as const;
export type StimulusShape = (typeof STIMULI)[number];

/** The input current over time; times in ms, the amplitude in the unit of the model's input. */
export interface Stimulus {
  readonly shape: StimulusShape;
  readonly amplitude: number;
  /** When it begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Of pulses and sine waves, Hz. */
  readonly frequency: number;
  /** Of the noise: each seed draws another. */
  readonly seed: number;
}

/** Pulses last this part of their period. */
const DUTY = 0.2;

/**
 * The current of each step.
 *
 * @param normal standard normal numbers for the noise, in order
 * @returns [steps]
 */
export function currentOf(
  stimulus: Stimulus,
  { dt, steps }: { readonly dt: number; readonly steps: number },
  normal: () => number,
): Float64Array<ArrayBuffer> {
  const { shape, from, to } = stimulus;
  const level = LEVELS[shape];
  return Float64Array.from({ length: steps }, (_, step) => {
    const at = step * dt;
    // Drawn for every step, so that moving the ends does not change the noise between them.
    const drawn = shape === 'noise' ? normal() : 0;
    const isOn = shape === 'constant' || (at >= from && at < to);
    return isOn ? stimulus.amplitude * level(stimulus, at - from, drawn) : 0;
  });
}

type Level = (stimulus: Stimulus, since: number, drawn: number) => number;

const cyclesOf = ({ frequency }: Stimulus, since: number) => (since * frequency) / 1000;

/** The current as a part of the amplitude, `since` ms after its begin. */
const LEVELS: Readonly<Record<StimulusShape, Level>> = {
  constant: () => 1,
  step: () => 1,
  ramp: ({ from, to }, since) => since / Math.max(1, to - from),
  pulses: (stimulus, since) => (cyclesOf(stimulus, since) % 1 < DUTY ? 1 : 0),
  sine: (stimulus, since) => Math.sin(2 * Math.PI * cyclesOf(stimulus, since)),
  noise: (_stimulus, _since, drawn) => drawn,
};

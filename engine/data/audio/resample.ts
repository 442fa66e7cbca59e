import { expectCount, refuseSetting } from '../../checks.ts';

/** Zero crossings of the sinc on each side of its middle. */
const LOBES = 16;
/** Fraction of the lower Nyquist frequency that passes; the window's slope ends near that frequency. */
const PASS = 0.94;
/** Phases whose weights are cached; with more of them each is used too seldom. */
const KEPT_PHASES = 2048;
const HIGHEST_HZ = 2 ** 20;
/** Samples that a resampled signal may have: 17 minutes at 16 kHz, which a file of few bytes may claim to be. */
const MAX_SAMPLES = 2 ** 24;

/**
 * A signal at another sample rate: sample i is what the signal was at time i / `toHz`, all above the
 * lower of the two Nyquist frequencies taken out. A sinc under a Hann window, in float64; the signal is
 * 0 before its start and after its end. `ceil(length toHz / fromHz)` samples.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  for (const rate of [fromHz, toHz]) {
    expectCount('resample', 'sample rate', rate);
    if (rate > HIGHEST_HZ) {
      refuseSetting(`resample: sample rate is ${rate}: expected at most ${HIGHEST_HZ}`);
    }
  }
  if (fromHz === toHz) return samples.slice();
  const common = greatestDivisor(fromHz, toHz);
  const [up, down] = [toHz / common, fromHz / common];
  const count = Math.ceil((samples.length * up) / down);
  if (count > MAX_SAMPLES) {
    refuseSetting(
      `resample: ${samples.length} samples from ${fromHz} to ${toHz} Hz become ${count}: ` +
        `expected at most ${MAX_SAMPLES}`,
    );
  }
  const weightsOf = createPhases(up, down);
  const resampled = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const before = Math.floor((i * down) / up);
    const { weights, first } = weightsOf((i * down) % up);
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++) {
      sum += (weights[tap] ?? 0) * (samples[before + first + tap] ?? 0);
    }
    resampled[i] = sum;
  }
  return resampled;
}

/** Weights of the samples around a point in time. */
interface Taps {
  readonly weights: Float64Array;
  /** Index of the first sample, relative to the last one at or before the point. */
  readonly first: number;
}

/** The weights for points `phase / up` after a sample. They add up to 1, so that a constant stays constant. */
function createPhases(up: number, down: number): (phase: number) => Taps {
  const cutoff = PASS * Math.min(1, up / down);
  const reach = LOBES / cutoff;
  const known = new Map<number, Taps>();
  const make = (phase: number): Taps => {
    const behind = phase / up;
    const first = Math.ceil(behind - reach);
    const weights = Float64Array.from(
      { length: Math.floor(behind + reach) - first + 1 },
      (_, tap) => windowedSinc(first + tap - behind, cutoff, reach),
    );
    const sum = weights.reduce((a, b) => a + b, 0);
    return { weights: weights.map((weight) => weight / sum), first };
  };
  return (phase) => {
    const taps = known.get(phase) ?? make(phase);
    if (up <= KEPT_PHASES) known.set(phase, taps);
    return taps;
  };
}

function windowedSinc(distance: number, cutoff: number, reach: number): number {
  const angle = Math.PI * cutoff * distance;
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
  return sinc * Math.cos((Math.PI * distance) / (2 * reach)) ** 2;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

import { MIN_LOG_INPUT } from '../kernels/dense.ts';
import { expectFinite } from '../encoders/checks.ts';
import {
  binsOf,
  checkMelOptions,
  cosineTransform,
  featuresOf,
  framesOf,
  melBank,
  type MelOptions,
  windowedDft,
} from './mel.ts';

/**
 * The features of a sound in float64, `[frames][features]`: what engine/functional/mel-front.ts computes
 * on a device.
 *
 *   power = |DFT(Hann frame)|^2 / frameSamples      band = log(max(power bank, 1e-10))      c = DCT band
 *
 * Throws EngineError `signal-invalid`, naming the sample, for what is no finite number.
 */
export function melFeatures(samples: Float32Array, options: MelOptions): Float64Array {
  checkMelOptions(options);
  expectFinite('mel', samples);
  const { frames, frameSamples, bands, coefficients } = options;
  const bins = binsOf(options);
  const framed = Float64Array.from(framesOf(samples, options));
  const spectrum = product(framed, windowedDft(options), [frames, frameSamples, 2 * bins]);
  const power = Float64Array.from({ length: frames * bins }, (_, i) => {
    const [re = 0, im = 0] = spectrum.subarray(2 * i, 2 * i + 2);
    return (re * re + im * im) / frameSamples;
  });
  const banded = product(power, melBank(options), [frames, bins, bands]);
  const heard = banded.map((energy) => Math.log(Math.max(energy, MIN_LOG_INPUT)));
  if (coefficients === undefined) return heard;
  return product(heard, cosineTransform(bands, coefficients), [frames, bands, featuresOf(options)]);
}

/** `[rows][depth]` times `[depth][columns]`. */
function product(
  left: Float64Array,
  right: Float64Array,
  [rows, depth, columns]: readonly [rows: number, depth: number, columns: number],
): Float64Array {
  const result = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let d = 0; d < depth; d++) {
      const factor = left[r * depth + d] ?? 0;
      for (let c = 0; c < columns; c++) {
        result[r * columns + c] =
          (result[r * columns + c] ?? 0) + factor * (right[d * columns + c] ?? 0);
      }
    }
  }
  return result;
}

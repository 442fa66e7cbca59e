import { expectCount, expectFiniteValues, expectPositive, refuseSetting } from '../../checks.ts';

/** Lower bound of a band's energy under the logarithm; that of the log activation. */
const MIN_BAND_ENERGY = 1e-10;

/** Framing of audio and the mel features of each frame. */
export interface MelOptions {
  /** Samples a second. */
  readonly sampleRateHz: number;
  /** Samples of one frame, which is as long as its Fourier transform. */
  readonly frameSamples: number;
  /**
   * Samples from one frame to the next: longer clips are cut, shorter ones end in silence. `spread` spaces
   * the frames evenly over each clip, whatever its length.
   */
  readonly hopSamples: number | 'spread';
  /** Frames per clip. */
  readonly frames: number;
  /** Bands of the mel scale, from `lowestHz` to `highestHz`. */
  readonly bands: number;
  readonly lowestHz: number;
  readonly highestHz: number;
  /** Cepstral coefficients of a frame; without them its features are the logarithms of the bands. */
  readonly coefficients?: number;
}

/** 26 coefficients of 40 frames of 32 ms at 8 kHz, spread over the clip. */
export const mfccDefaults: MelOptions = {
  sampleRateHz: 8_000,
  frameSamples: 256,
  hopSamples: 'spread',
  frames: 40,
  bands: 40,
  lowestHz: 0,
  highestHz: 4_000,
  coefficients: 26,
};

/** Throws EngineError `invalid-setting` that names the option and what was expected. */
export function checkMelOptions(options: MelOptions): void {
  const { sampleRateHz, lowestHz, highestHz, bands, coefficients = bands } = options;
  for (const name of ['sampleRateHz', 'frames', 'bands'] as const) {
    expectCount('mel', name, options[name]);
  }
  if (options.hopSamples !== 'spread') expectCount('mel', 'hopSamples', options.hopSamples);
  expectCount('mel', 'frameSamples', options.frameSamples, 2);
  expectCount('mel', 'coefficients', coefficients);
  if (coefficients > bands) {
    refuseSetting(`mel: coefficients is ${coefficients}: expected at most the ${bands} bands`);
  }
  expectPositive('mel', 'highestHz', highestHz);
  if (!(lowestHz >= 0 && lowestHz < highestHz && highestHz <= sampleRateHz / 2)) {
    refuseSetting(
      `mel: bands from ${lowestHz} to ${highestHz} Hz: expected 0 or more, rising to at most half the ` +
        `sample rate, ${sampleRateHz / 2}`,
    );
  }
}

/** The numbers of one frame. */
export function featuresOf({ bands, coefficients = bands }: MelOptions): number {
  return coefficients;
}

/** Frequencies of a frame's transform, 0 to half the sample rate. */
export function binsOf({ frameSamples }: MelOptions): number {
  return Math.floor(frameSamples / 2) + 1;
}

/** The frames of a clip, `[frames][frameSamples]`; the first begins at its first sample. */
export function framesOf(samples: Float32Array, options: MelOptions): Float32Array {
  const { frames, frameSamples, hopSamples } = options;
  const spread = Math.max(0, samples.length - frameSamples) / Math.max(1, frames - 1);
  const hop = hopSamples === 'spread' ? spread : hopSamples;
  const framed = new Float32Array(frames * frameSamples);
  for (let frame = 0; frame < frames; frame++) {
    const start = Math.round(frame * hop);
    framed.set(samples.subarray(start, start + frameSamples), frame * frameSamples);
  }
  return framed;
}

/**
 * The Fourier transform of a frame under a periodic Hann window as a matrix `[frameSamples][2 bins]`:
 * real and imaginary part of each frequency side by side.
 */
export function windowedDft(options: MelOptions): Float64Array {
  const { frameSamples } = options;
  const bins = binsOf(options);
  const matrix = new Float64Array(frameSamples * 2 * bins);
  for (let n = 0, to = 0; n < frameSamples; n++) {
    const window = Math.sin((Math.PI * n) / frameSamples) ** 2;
    for (let bin = 0; bin < bins; bin++) {
      // The remainder keeps the angle small and thereby exact.
      const angle = (2 * Math.PI * ((n * bin) % frameSamples)) / frameSamples;
      matrix[to++] = window * Math.cos(angle);
      matrix[to++] = -window * Math.sin(angle);
    }
  }
  return matrix;
}

/** A frequency on the mel scale, on which equal steps are perceived as equal (O'Shaughnessy 1987). */
export function melOf(frequencyHz: number): number {
  return 2595 * Math.log10(1 + frequencyHz / 700);
}

function frequencyOf(mel: number): number {
  return 700 * (10 ** (mel / 2595) - 1);
}

/** Frequencies, evenly spaced on the mel scale, of which each band has three in a row. */
function cornersOf({ bands, lowestHz, highestHz }: MelOptions): Float64Array {
  const [low, high] = [melOf(lowestHz), melOf(highestHz)];
  return Float64Array.from({ length: bands + 2 }, (_, i) =>
    frequencyOf(low + ((high - low) * i) / (bands + 1)),
  );
}

/** Frequency in Hz of the centre of each band. */
export function bandCentres(options: MelOptions): Float64Array {
  return cornersOf(options).subarray(1, -1);
}

/**
 * The bands as a matrix `[bins][bands]`: triangles that rise from the centre of the previous band to 1 at
 * their own centre and fall to 0 at the next. Throws EngineError `invalid-setting` for a band so narrow that
 * no frequency of the transform lies in it.
 */
export function melBank(options: MelOptions): Float64Array {
  const { bands, sampleRateHz, frameSamples } = options;
  const corners = cornersOf(options);
  const bins = binsOf(options);
  const bank = new Float64Array(bins * bands);
  for (let band = 0; band < bands; band++) {
    const [left = 0, centre = 0, right = 0] = corners.subarray(band, band + 3);
    let sum = 0;
    for (let bin = 0; bin < bins; bin++) {
      const frequency = (bin * sampleRateHz) / frameSamples;
      const rise = (frequency - left) / (centre - left);
      const fall = (right - frequency) / (right - centre);
      const weight = Math.max(0, Math.min(rise, fall));
      bank[bin * bands + band] = weight;
      sum += weight;
    }
    if (sum === 0) {
      refuseSetting(
        `mel: band ${band} of ${bands}, ${left.toFixed(1)} to ${right.toFixed(1)} Hz, holds no frequency ` +
          `of a transform of ${frameSamples} samples: expected fewer bands or longer frames`,
      );
    }
  }
  return bank;
}

/** The orthonormal cosine transform (DCT-II) as a matrix `[bands][coefficients]`. */
export function cosineTransform(bands: number, coefficients: number): Float64Array {
  const matrix = new Float64Array(bands * coefficients);
  for (let band = 0, to = 0; band < bands; band++) {
    for (let k = 0; k < coefficients; k++) {
      const scale = Math.sqrt((k === 0 ? 1 : 2) / bands);
      matrix[to++] = scale * Math.cos((Math.PI * k * (band + 0.5)) / bands);
    }
  }
  return matrix;
}

/**
 * The features of a sound in float64, `[frames][features]`: what engine/functional/mel-front-end.ts computes
 * on a device.
 *
 *   power = |DFT(Hann frame)|^2 / frameSamples      band = log(max(power bank, 1e-10))      c = DCT band
 *
 * Throws EngineError `signal-invalid`, naming the sample, for what is no finite number.
 */
export function melFeatures(samples: Float32Array, options: MelOptions): Float64Array {
  checkMelOptions(options);
  expectFiniteValues('mel', samples);
  const { frames, frameSamples, bands, coefficients } = options;
  const bins = binsOf(options);
  const framed = Float64Array.from(framesOf(samples, options));
  const spectrum = product(framed, windowedDft(options), [frames, frameSamples, 2 * bins]);
  const power = Float64Array.from({ length: frames * bins }, (_, i) => {
    const [re = 0, im = 0] = spectrum.subarray(2 * i, 2 * i + 2);
    return (re * re + im * im) / frameSamples;
  });
  const bandEnergies = product(power, melBank(options), [frames, bins, bands]);
  const logBands = bandEnergies.map((energy) => Math.log(Math.max(energy, MIN_BAND_ENERGY)));
  if (coefficients === undefined) return logBands;
  return product(logBands, cosineTransform(bands, coefficients), [
    frames,
    bands,
    featuresOf(options),
  ]);
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

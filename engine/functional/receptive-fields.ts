import { expectPositive, refuseSetting } from '../checks.ts';

/*
 * Receptive fields as square weights [size][size], row by row, y downwards. Each has a sum of zero, so that
 * uniform light gives no response, and a positive part with a sum of one, so that responses to an image in
 * [0, 1] lie in [-1, 1].
 */

interface CentreSurround {
  /** Pixels along a side; odd, so that there is a centre. */
  readonly size: number;
  /** Standard deviations of the two Gaussians in pixels. */
  readonly centre: number;
  readonly surround: number;
}

/** The difference of two Gaussians: an ON-centre ganglion cell of the retina (Rodieck 1965). */
export function differenceOfGaussians({ size, centre, surround }: CentreSurround): Float32Array {
  expectPositive('differenceOfGaussians', 'centre', centre);
  expectPositive('differenceOfGaussians', 'surround', surround);
  if (surround <= centre) {
    refuseSetting(
      `differenceOfGaussians: surround is ${surround}: expected more than the centre of ${centre}`,
    );
  }
  return balanced(
    sampled('differenceOfGaussians', size, (x, y) => {
      const square = x ** 2 + y ** 2;
      return gaussian(square, centre) - gaussian(square, surround);
    }),
  );
}

/** A Gaussian of two dimensions at a squared distance. */
function gaussian(square: number, sigma: number): number {
  return Math.exp(-square / (2 * sigma ** 2)) / (2 * Math.PI * sigma ** 2);
}

interface Grating {
  readonly size: number;
  /** Of the bars that it prefers, in radians from the x axis. */
  readonly orientation: number;
  /** Pixels from bar to bar. */
  readonly wavelength: number;
  /** Standard deviation across the bars in pixels. */
  readonly sigma: number;
  /** How much longer than wide the field is. */
  readonly elongation: number;
  /** 0 for a bright bar in the middle, pi for a dark one, pi / 2 for an edge. */
  readonly phase: number;
}

/** A Gabor function: a simple cell of the visual cortex (Daugman 1985). */
export function gabor(grating: Grating): Float32Array {
  const { size, orientation, wavelength, sigma, elongation, phase } = grating;
  for (const name of ['wavelength', 'sigma', 'elongation'] as const) {
    expectPositive('gabor', name, grating[name]);
  }
  const [cos, sin] = [Math.cos(orientation), Math.sin(orientation)];
  return balanced(
    sampled('gabor', size, (x, y) => {
      const along = x * cos + y * sin;
      const across = y * cos - x * sin;
      const envelope = Math.exp(-(across ** 2 + (along / elongation) ** 2) / (2 * sigma ** 2));
      return envelope * Math.cos((2 * Math.PI * across) / wavelength + phase);
    }),
  );
}

function sampled(op: string, size: number, at: (x: number, y: number) => number): Float64Array {
  if (!Number.isInteger(size) || size < 3 || size % 2 === 0) {
    refuseSetting(`${op}: size is ${size}: expected an odd whole number of at least 3`);
  }
  const reach = (size - 1) / 2;
  return Float64Array.from({ length: size ** 2 }, (_, i) =>
    at((i % size) - reach, Math.floor(i / size) - reach),
  );
}

/** Subtracts the mean and scales the positive part to a sum of one. */
function balanced(field: Float64Array): Float32Array {
  const mean = field.reduce((sum, value) => sum + value, 0) / field.length;
  const positive = field.reduce((sum, value) => sum + Math.max(0, value - mean), 0);
  return Float32Array.from(field, (value) => (value - mean) / positive);
}

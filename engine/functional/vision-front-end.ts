import type { Image } from '../kernels/convolution.ts';
import type { Backend } from '../graph/backend.ts';
import { expectCount, expectIntensities, expectPositive } from '../checks.ts';
import { latencyEncode, type LatencyOptions } from '../encoders/latency.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { conv2d, conv2dImage } from '../ops/conv2d.ts';
import { type Answers, openHostFunction } from './host-function.ts';
import { differenceOfGaussians, gabor } from './receptive-fields.ts';

interface VisionFrontEndOptions {
  readonly height: number;
  readonly width: number;
  /** Orientations of bars, evenly spread over half a turn. */
  readonly orientations: number;
  /** Pixels along the side of a receptive field; odd. */
  readonly size: number;
  /** Pixels from bar to bar. */
  readonly wavelength: number;
  /** Factor of the responses before they become spikes; a larger one makes dim images respond, too. */
  readonly gain: number;
  readonly code: LatencyOptions;
}

export const visionDefaults: Pick<
  VisionFrontEndOptions,
  'orientations' | 'size' | 'wavelength' | 'gain'
> = { orientations: 4, size: 9, wavelength: 6, gain: 1 };

/** One kind of cell of the front; there is one of it at every pixel. */
type Cell =
  | { readonly kind: 'centre'; readonly polarity: 'on' | 'off' }
  | { readonly kind: 'bar'; readonly orientation: number; readonly polarity: 'on' | 'off' };

/** The preferred stimuli of the channels, in order. */
export function visionCells({ orientations }: Pick<VisionFrontEndOptions, 'orientations'>): Cell[] {
  expectCount('visionFrontEnd', 'orientations', orientations);
  const polarities = ['on', 'off'] as const;
  const bars = Array.from({ length: orientations }, (_, k) => (Math.PI * k) / orientations);
  return [
    ...polarities.map((polarity): Cell => ({ kind: 'centre', polarity })),
    ...bars.flatMap((orientation) =>
      polarities.map((polarity): Cell => ({ kind: 'bar', orientation, polarity })),
    ),
  ];
}

interface VisionFrontEnd {
  /** `bits[T, rows, cells * height * width]`: one spike or none, the earlier the better a cell's stimulus. */
  readonly spikes: Tensor;
  /** Responses that the spikes encode, `[1, rows, cells * height * width]`; negative if a cell is inhibited. */
  readonly responses: Tensor;
  /** Shape of a row. */
  readonly image: Image;
}

/**
 * The vision front end: grey images `[1, rows, height * width]` in [0, 1] through ON and OFF centre cells
 * (differences of Gaussians) and a bank of Gabor cells, whose responses become latencies, as in the first
 * volley of the visual system (Thorpe, Fize & Marlot 1996).
 */
function visionFrontEnd(
  graph: Graph,
  images: Tensor,
  options: VisionFrontEndOptions,
): VisionFrontEnd {
  const { height, width, size, gain, code } = options;
  expectPositive('visionFrontEnd', 'gain', gain);
  const cells = visionCells(options);
  const fields = cells.map((cell) => fieldOf(cell, options).map((weight) => gain * weight));
  const weight = graph.constant(
    'receptive fields',
    [cells.length, 1, size, size],
    Float32Array.from(fields.flatMap((field) => [...field])),
  );
  const convolution = { image: { channels: 1, height, width }, padding: 'same' } as const;
  const responses = conv2d(graph, images, weight, convolution);
  const spikes = latencyEncode(graph, responses, code);
  return { spikes, responses, image: conv2dImage(weight, convolution) };
}

function fieldOf(cell: Cell, { size, wavelength }: VisionFrontEndOptions): Float32Array {
  const sign = cell.polarity === 'on' ? 1 : -1;
  if (cell.kind === 'centre') {
    const centre = wavelength / 6;
    const field = differenceOfGaussians({ size, centre, surround: 1.6 * centre });
    return field.map((weight) => sign * weight);
  }
  const phase = cell.polarity === 'on' ? 0 : Math.PI;
  const { orientation } = cell;
  return gabor({ size, orientation, wavelength, sigma: wavelength / 3, elongation: 1.5, phase });
}

/** The front on a device, for one image at a time. */
interface OpenVisionFrontEnd {
  /** The preferred stimuli of the channels. */
  readonly cells: readonly Cell[];
  /** Shape of the responses. */
  readonly image: Image;
  /** Throws EngineError `signal-invalid`, naming the pixel, for light outside [0, 1]. */
  encode(pixels: Float32Array): Promise<Answers<'spikes' | 'responses'>>;
  close(): void;
}

export async function openVisionFrontEnd(
  backend: Backend,
  options: VisionFrontEndOptions,
): Promise<OpenVisionFrontEnd> {
  const { height, width } = options;
  const cells = visionCells(options);
  const input = { name: 'pixels', dtype: 'f32', shape: [1, 1, height * width] } as const;
  const front = await openHostFunction(backend, input, (graph, pixels) => {
    const { spikes, responses } = visionFrontEnd(graph, pixels, options);
    return { spikes, responses };
  });
  return {
    cells,
    image: { channels: cells.length, height, width },
    async encode(pixels) {
      expectIntensities('visionFrontEnd', pixels);
      return front.call(pixels);
    },
    close: front.close,
  };
}

import type { Image } from '../kernels/convolution.ts';
import type { Backend } from '../graph/backend.ts';
import { expectIntensities, expectPositive } from '../encoders/checks.ts';
import { latencyEncode, type LatencyOptions } from '../encoders/latency.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { conv2d, conv2dImage } from '../ops/conv2d.ts';
import { expectWhole } from '../ops/shapes.ts';
import { type Answers, openHostFunction } from './host-function.ts';
import { differenceOfGaussians, gabor } from './receptive-fields.ts';

export interface VisionFrontOptions {
  readonly height: number;
  readonly width: number;
  /** Orientations of bars, evenly spread over half a turn. */
  readonly orientations: number;
  /** Pixels along the side of a receptive field; odd. */
  readonly size: number;
  /** Pixels from bar to bar. */
  readonly wavelength: number;
  /** What answers are multiplied by before they become spikes; more makes dim images answer, too. */
  readonly gain: number;
  readonly code: LatencyOptions;
}

export const visionDefaults: Pick<
  VisionFrontOptions,
  'orientations' | 'size' | 'wavelength' | 'gain'
> = { orientations: 4, size: 9, wavelength: 6, gain: 1 };

/** One kind of cell of the front; there is one of it at every pixel. */
export type Cell =
  | { readonly kind: 'centre'; readonly polarity: 'on' | 'off' }
  | { readonly kind: 'bar'; readonly orientation: number; readonly polarity: 'on' | 'off' };

/** What the channels of the front answer to, in order. */
export function visionCells({ orientations }: Pick<VisionFrontOptions, 'orientations'>): Cell[] {
  expectWhole('visionFront', 'orientations', orientations, 1);
  const polarities = ['on', 'off'] as const;
  const bars = Array.from({ length: orientations }, (_, k) => (Math.PI * k) / orientations);
  return [
    ...polarities.map((polarity): Cell => ({ kind: 'centre', polarity })),
    ...bars.flatMap((orientation) =>
      polarities.map((polarity): Cell => ({ kind: 'bar', orientation, polarity })),
    ),
  ];
}

export interface VisionFront {
  /** `bits[T, rows, cells * height * width]`: one spike or none, the earlier the better a cell's stimulus. */
  readonly spikes: Tensor;
  /** What the spikes encode, `[1, rows, cells * height * width]`; negative where a cell is inhibited. */
  readonly responses: Tensor;
  /** What a row stands for. */
  readonly image: Image;
}

/**
 * The front of vision: grey images `[1, rows, height * width]` in [0, 1] through ON and OFF centre cells
 * (differences of Gaussians) and a bank of Gabor cells, whose answers become latencies, as in the first
 * volley of the visual system (Thorpe, Fize & Marlot 1996).
 */
export function visionFront(
  graph: Graph,
  images: Tensor,
  options: VisionFrontOptions,
): VisionFront {
  const { height, width, size, gain, code } = options;
  expectPositive('visionFront: gain', gain);
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

function fieldOf(cell: Cell, { size, wavelength }: VisionFrontOptions): Float32Array {
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
export interface Eye {
  /** What the channels answer to. */
  readonly cells: readonly Cell[];
  /** What the answers stand for. */
  readonly image: Image;
  /** Throws EngineError `signal-invalid`, naming the pixel, for light outside [0, 1]. */
  see(pixels: Float32Array): Promise<Answers<'spikes' | 'responses'>>;
  close(): void;
}

export async function openVisionFront(backend: Backend, options: VisionFrontOptions): Promise<Eye> {
  const { height, width } = options;
  const cells = visionCells(options);
  const input = { name: 'pixels', dtype: 'f32', shape: [1, 1, height * width] } as const;
  const front = await openHostFunction(backend, input, (graph, pixels) => {
    const { spikes, responses } = visionFront(graph, pixels, options);
    return { spikes, responses };
  });
  return {
    cells,
    image: { channels: cells.length, height, width },
    async see(pixels) {
      expectIntensities('visionFront', pixels);
      return front.call(pixels);
    },
    close: front.close,
  };
}

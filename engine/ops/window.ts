import type { Image, Window, Windowed } from '../kernels/convolution.ts';
export type { Image } from '../kernels/convolution.ts';
import { EngineError } from '../errors.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { axesOf, expectWhole } from './shapes.ts';

/** One number for both axes, or height and width. */
export type Pair = number | readonly [y: number, x: number];

export interface WindowOptions {
  readonly stride?: Pair;
  /** Zeros around the image; `same` keeps its size (stride 1), `valid` adds none. */
  readonly padding?: Pair | 'same' | 'valid';
  readonly dilation?: Pair;
}

/** The window of a kernel over an image. Throws EngineError `shape-mismatch` where none fits. */
export function windowOver(
  op: string,
  image: Image,
  kernel: Pair,
  { stride = 1, padding = 0, dilation = 1 }: WindowOptions = {},
): Window {
  for (const [name, value] of Object.entries(image)) expectWhole(op, name, Number(value), 1);
  const size = pair(op, 'kernel size', kernel, 1);
  const strides = pair(op, 'stride', stride, 1);
  const dilations = pair(op, 'dilation', dilation, 1);
  const [y, x] = ([0, 1] as const).map((axis) => {
    const reach = dilations[axis] * (size[axis] - 1);
    const length = axis === 0 ? image.height : image.width;
    const around = paddingOf(op, padding, { axis, reach, stride: strides[axis] });
    const out = Math.floor((length + around - reach - 1) / strides[axis]) + 1;
    if (out >= 1) return { before: Math.floor(around / 2), out };
    throw new EngineError(
      'shape-mismatch',
      `${op}: a kernel that reaches over ${reach + 1} does not fit into ${length} with ${around} of padding`,
    );
  }) as [Axis, Axis];
  return {
    outHeight: y.out,
    outWidth: x.out,
    kernelHeight: size[0],
    kernelWidth: size[1],
    strideY: strides[0],
    strideX: strides[1],
    paddingY: y.before,
    paddingX: x.before,
    dilationY: dilations[0],
    dilationX: dilations[1],
  };
}

interface Axis {
  /** Zeros in front. */
  readonly before: number;
  /** Outputs along the axis. */
  readonly out: number;
}

/** Zeros in front and behind together; where `same` asks for an odd number, one more behind. */
function paddingOf(
  op: string,
  padding: Pair | 'same' | 'valid',
  { axis, reach, stride }: { axis: 0 | 1; reach: number; stride: number },
): number {
  if (padding === 'valid') return 0;
  if (padding !== 'same') return 2 * pair(op, 'padding', padding, 0)[axis];
  if (stride === 1) return reach;
  throw new EngineError(
    'invalid-setting',
    `${op}: padding is "same" with a stride of ${stride}: expected a stride of 1`,
  );
}

function pair(op: string, name: string, value: Pair, least: number): readonly [number, number] {
  const [y, x] = typeof value === 'number' ? [value, value] : value;
  expectWhole(op, name, y, least);
  expectWhole(op, name, x, least);
  return [y, x];
}

/** The images of an input `[steps, rows, channels * height * width]`, in numbers or in spikes. */
export function imagesOf(
  op: string,
  input: Tensor,
  { channels, height, width }: Image,
): Pick<Windowed, 'images' | 'spikes'> & { readonly steps: number; readonly rows: number } {
  const spikes = input.dtype === 'bits';
  const axes = axesOf(op, input, spikes ? 'bits' : 'f32');
  if (axes.width === channels * height * width) {
    return { steps: axes.steps, rows: axes.rows, images: axes.steps * axes.rows, spikes };
  }
  throw new EngineError(
    'shape-mismatch',
    `${op}: rows have ${axes.width} features, expected ${channels} x ${height} x ${width} of the image`,
  );
}

const MAX_LINES = 64;
const MAX_PARTIALS = 2 ** 22;

/** Images that one line of partial sums of a tensor covers: enough lines to spread the work, and no more. */
export function imagesOfLine(images: number, tensor: Pick<Tensor, 'dtype' | 'shape'>): number {
  const affordable = Math.max(1, Math.floor(MAX_PARTIALS / wordCount(tensor)));
  return Math.ceil(images / Math.min(images, MAX_LINES, affordable));
}

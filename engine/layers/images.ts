import { imageOptions } from '../ops/conv1d.ts';
import { conv2d as convolve, conv2dImage, type Conv2dOptions } from '../ops/conv2d.ts';
import { averagePool2d, maxPool2d, pool2dImage, sumPool2d } from '../ops/pool2d.ts';
import type { Image, Pair, WindowOptions } from '../ops/window.ts';
import { EngineError } from '../errors.ts';
import { type Named, weightSpecs } from './dense.ts';
import type { Layer, PlacedLayer, Shape, Site } from './layer.ts';
import { countOf, givenOptions, refused, switchOf, wrongShape } from './options.ts';

interface ConvOptions extends WindowOptions, Named {
  /** Groups of channels that do not see each other; 1 by default. */
  readonly groups?: number;
  /** A number added to every channel of the output; true by default. */
  readonly bias?: boolean;
}

interface Conv extends ConvOptions {
  readonly channels: number;
  readonly kernel: Pair;
}

/**
 * Convolution of images `[channels, height, width]`, of numbers or spikes, with learned weights `[channels,
 * channels in front / groups, kernel height, kernel width]`. Throws EngineError `invalid-setting`.
 */
export function conv2d(channels: number, kernel: Pair, options: ConvOptions = {}): Layer {
  return conv2dOf({ ...options, channels, kernel });
}

const CONV_OPTIONS = [
  'channels',
  'kernel',
  'stride',
  'padding',
  'dilation',
  'groups',
  'bias',
  'name',
] as const;

export function conv2dOf(options: Conv): Layer {
  const channels = countOf('conv2d', 'channels', options.channels);
  checkPairs('conv2d', options);
  return {
    kind: 'conv2d',
    options: givenOptions('conv2d', options, CONV_OPTIONS),
    place(input, site) {
      const image = imageOf(input, site);
      const groups = options.groups ?? 1;
      const out = placeConvolution(site, { ...options, channels, groups }, image);
      return { ...out, output: imageShape(out.image) };
    },
  };
}

/**
 * Convolution of sequences `[channels, length]` with a kernel of `kernel` numbers. Throws EngineError
 * `invalid-setting`.
 */
export function conv1d(channels: number, kernel: number, options: Conv1dOptions = {}): Layer {
  return conv1dOf({ ...options, channels, kernel });
}

interface Conv1dOptions extends Omit<ConvOptions, 'stride' | 'padding' | 'dilation'> {
  readonly stride?: number;
  readonly padding?: number | 'same' | 'valid';
  readonly dilation?: number;
}

export function conv1dOf(
  options: Conv1dOptions & { readonly channels: number; readonly kernel: number },
): Layer {
  const channels = countOf('conv1d', 'channels', options.channels);
  checkPairs('conv1d', options);
  const { padding = 0, stride = 1, dilation = 1, groups = 1, bias } = options;
  return {
    kind: 'conv1d',
    options: givenOptions('conv1d', options, CONV_OPTIONS),
    place(input, site) {
      const [given, width] = input;
      if (input.length !== 2 || given === undefined || width === undefined) {
        throw wrongShape(site, input, 'a sequence, [channels, length]');
      }
      const signal = { channels: given, length: width };
      const { image, ...window } = imageOptions({ signal, stride, padding, dilation });
      const all = { ...window, channels, kernel: [1, options.kernel] as const, groups, bias };
      const out = placeConvolution(site, all, image);
      return { ...out, output: [out.image.channels, out.image.width] };
    },
  };
}

/** Convolution of each channel by itself, `multiplier` outputs for each. Throws EngineError `invalid-setting`. */
export function depthwiseConv2d(kernel: Pair, options: DepthwiseOptions = {}): Layer {
  return depthwiseConv2dOf({ ...options, kernel });
}

interface DepthwiseOptions extends Omit<ConvOptions, 'groups'> {
  /** Channels of the output for each channel in front; 1 by default. */
  readonly multiplier?: number;
}

export function depthwiseConv2dOf(options: DepthwiseOptions & { readonly kernel: Pair }): Layer {
  const names = ['kernel', 'multiplier', 'stride', 'padding', 'dilation', 'bias', 'name'] as const;
  const multiplier = countOf('depthwiseConv2d', 'multiplier', options.multiplier ?? 1);
  checkPairs('depthwiseConv2d', options);
  return {
    kind: 'depthwiseConv2d',
    options: givenOptions('depthwiseConv2d', options, names),
    place(input, site) {
      const image = imageOf(input, site);
      const channels = image.channels * multiplier;
      const all = { ...options, channels, groups: image.channels };
      const out = placeConvolution(site, all, image);
      return { ...out, output: imageShape(out.image) };
    },
  };
}

interface Placed extends Omit<Conv, 'bias'> {
  readonly groups: number;
  readonly bias?: boolean | undefined;
}

function placeConvolution(
  site: Site,
  options: Placed,
  image: Image,
): Omit<PlacedLayer, 'output'> & { readonly image: Image } {
  const { channels, kernel, groups, stride = 1, padding = 0, dilation = 1 } = options;
  const [height, width] = typeof kernel === 'number' ? [kernel, kernel] : kernel;
  const shape = [channels, image.channels / groups, height, width];
  const hasBias = switchOf(site.title, 'bias', options.bias ?? true);
  const window: Omit<Conv2dOptions, 'bias'> = { image, groups, stride, padding, dilation };
  const inputs = (image.channels / groups) * height * width;
  return {
    image: atSite(site, () => conv2dImage({ shape }, window)),
    parameters: weightSpecs(site, { shape, inputs, outputs: channels, hasBias }),
    inSegments: true,
    forward({ graph }, from) {
      const bias = hasBias && { bias: graph.parameter(`${site.name}.bias`) };
      return convolve(graph, from, graph.parameter(`${site.name}.weight`), { ...window, ...bias });
    },
  };
}

interface PoolOptions extends Named {
  /** As large as the window where it is left out. */
  readonly stride?: Pair;
  readonly padding?: Pair;
}

interface Pool extends PoolOptions {
  readonly kernel: Pair;
}

/** The mean over windows of images: rates of spikes. Throws EngineError `invalid-setting`. */
export const averagePool = (kernel: Pair, options: PoolOptions = {}): Layer =>
  averagePoolOf({ ...options, kernel });

/** The sum over windows of images: how many of their neurons fired. Throws EngineError `invalid-setting`. */
export const sumPool = (kernel: Pair, options: PoolOptions = {}): Layer =>
  sumPoolOf({ ...options, kernel });

/** The maximum over windows of images: whether one of their neurons fired. Throws EngineError `invalid-setting`. */
export const maxPool = (kernel: Pair, options: PoolOptions = {}): Layer =>
  maxPoolOf({ ...options, kernel });

export const maxPoolOf = (options: Pool): Layer => pool('maxPool', maxPool2d, options);
export const averagePoolOf = (options: Pool): Layer => pool('averagePool', averagePool2d, options);
export const sumPoolOf = (options: Pool): Layer => pool('sumPool', sumPool2d, options);

function pool(kind: string, op: typeof averagePool2d, options: Pool): Layer {
  checkPairs(kind, options);
  const { kernel, stride, padding } = options;
  const window = {
    kernel,
    ...(stride !== undefined && { stride }),
    ...(padding !== undefined && { padding }),
  };
  return {
    kind,
    options: givenOptions(kind, options, ['kernel', 'stride', 'padding', 'name']),
    place(input, site) {
      const image = imageOf(input, site);
      return {
        output: imageShape(atSite(site, () => pool2dImage({ image, ...window }))),
        parameters: [],
        inSegments: true,
        forward: ({ graph }, from) => op(graph, from, { image, ...window }),
      };
    },
  };
}

/** Numbers or pairs, so that the op can say which number of it is wrong. */
function checkPairs(
  kind: string,
  { kernel, stride = 1, padding = 0, dilation = 1 }: { readonly kernel: Pair } & WindowOptions,
): void {
  for (const [name, value] of Object.entries({ kernel, stride, padding, dilation })) {
    if (isPair(value) || (name === 'padding' && (value === 'same' || value === 'valid'))) continue;
    throw refused(
      kind,
      `${name} is ${JSON.stringify(value)}: expected a number, or [height, width]`,
    );
  }
}

const isPair = (value: unknown): boolean =>
  typeof value === 'number' ||
  (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number'));

function imageOf(input: Shape, site: Site): Image {
  const [channels, height, width] = input;
  const isImage = input.length === 3;
  if (isImage && channels !== undefined && height !== undefined && width !== undefined) {
    return { channels, height, width };
  }
  throw wrongShape(site, input, 'images, [channels, height, width]');
}

const imageShape = ({ channels, height, width }: Image): Shape => [channels, height, width];

/** Has what an op says begin with the layer that it says it of. */
function atSite<T>({ title }: Site, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `${title}: ${error.message}`, { cause: error });
  }
}

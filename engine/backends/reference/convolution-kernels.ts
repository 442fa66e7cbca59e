import type { Convolution, Windowed } from '../../kernels/convolution.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels } from './views.ts';

/** An output position, a tap and the input position that it reads, all within one channel. */
interface Tap {
  readonly position: number;
  readonly tap: number;
  readonly place: number;
}

/** Calls `visit` for every tap of every output position that lies on the image. */
function eachTap(window: Windowed, visit: (tap: Tap) => void): void {
  const { height, width, outHeight, outWidth, kernelHeight, kernelWidth } = window;
  for (let oy = 0; oy < outHeight; oy++) {
    for (let ox = 0; ox < outWidth; ox++) {
      for (let ky = 0; ky < kernelHeight; ky++) {
        for (let kx = 0; kx < kernelWidth; kx++) {
          const y = oy * window.strideY + ky * window.dilationY - window.paddingY;
          const x = ox * window.strideX + kx * window.dilationX - window.paddingX;
          if (y < 0 || y >= height || x < 0 || x >= width) continue;
          visit({
            position: oy * outWidth + ox,
            tap: ky * kernelWidth + kx,
            place: y * width + x,
          });
        }
      }
    }
  }
}

/** Indices of one tap of a convolution, into images, outputs and weights. */
interface Product {
  readonly image: number;
  /** Of the input among the features of its image. */
  readonly feature: number;
  /** Into the whole output. */
  readonly output: number;
  readonly weight: number;
}

function eachProduct(convolution: Convolution, visit: (product: Product) => void): void {
  const { images, channels, outputs, groups, height, width, outHeight, outWidth } = convolution;
  const [inputsOfGroup, outputsOfGroup] = [channels / groups, outputs / groups];
  const taps = convolution.kernelHeight * convolution.kernelWidth;
  eachTap(convolution, ({ position, tap, place }) => {
    for (let image = 0; image < images; image++) {
      for (let o = 0; o < outputs; o++) {
        const first = Math.floor(o / outputsOfGroup) * inputsOfGroup;
        for (let c = 0; c < inputsOfGroup; c++) {
          visit({
            image,
            feature: (first + c) * height * width + place,
            output: (image * outputs + o) * outHeight * outWidth + position,
            weight: (o * inputsOfGroup + c) * taps + tap,
          });
        }
      }
    }
  });
}

interface Inputs {
  f(name: 'input'): Float64Array;
  u(name: 'input'): Uint32Array;
}

/** Reads a feature of an image, be it a number or a spike. */
function reader({ f, u }: Inputs, { channels, height, width, spikes }: Windowed) {
  const features = channels * height * width;
  if (!spikes) {
    const input = f('input');
    return (image: number, feature: number) => at(input, image * features + feature);
  }
  const bits = u('input');
  return (image: number, feature: number) => bitAt(bits, wordsPerRow(features), image, feature);
}

export const convolutionKernels = {
  conv2d_forward: (views, attributes) => {
    const { outputs, outHeight, outWidth } = attributes;
    const input = reader(views, attributes);
    const weights = views.f('weight');
    const bias = views.optional('bias');
    const target = views.f('output');
    for (let i = 0; i < target.length; i++) {
      target[i] = bias ? at(bias, Math.floor(i / (outHeight * outWidth)) % outputs) : 0;
    }
    eachProduct(attributes, ({ image, feature, output, weight }) => {
      target[output] = at(target, output) + at(weights, weight) * input(image, feature);
    });
  },
  conv2d_backward_input: ({ f }, attributes) => {
    const features = attributes.channels * attributes.height * attributes.width;
    const gradient = f('gradient');
    const weights = f('weight');
    const target = f('inputGradient');
    if (!attributes.accumulate) target.fill(0);
    eachProduct(attributes, ({ image, feature, output, weight }) => {
      const to = image * features + feature;
      target[to] = at(target, to) + at(weights, weight) * at(gradient, output);
    });
  },
  conv2d_backward_weight: (views, attributes) => {
    const { outputs, channels, groups, kernelHeight, kernelWidth, chunk } = attributes;
    const count = (outputs * channels * kernelHeight * kernelWidth) / groups;
    const input = reader(views, attributes);
    const gradient = views.f('gradient');
    const partial = views.f('partial').fill(0);
    eachProduct(attributes, ({ image, feature, output, weight }) => {
      const to = Math.floor(image / chunk) * count + weight;
      partial[to] = at(partial, to) + at(gradient, output) * input(image, feature);
    });
  },
  channel_sum: ({ f }, { images, channels, positions, chunk }) => {
    const source = f('source');
    const partial = f('partial').fill(0);
    for (let i = 0; i < images * channels * positions; i++) {
      const plane = Math.floor(i / positions);
      const line = Math.floor(plane / channels / chunk);
      const to = line * channels + (plane % channels);
      partial[to] = at(partial, to) + at(source, i);
    }
  },
  pool2d_forward: (views, attributes) => {
    const { images, channels, height, width, outHeight, outWidth, factor } = attributes;
    const input = reader(views, attributes);
    const output = views.f('output').fill(0);
    eachTap(attributes, ({ position, place }) => {
      for (let plane = 0; plane < images * channels; plane++) {
        const to = plane * outHeight * outWidth + position;
        const feature = (plane % channels) * height * width + place;
        output[to] = at(output, to) + factor * input(Math.floor(plane / channels), feature);
      }
    });
  },
  pool2d_backward: ({ f }, attributes) => {
    const { images, channels, height, width, outHeight, outWidth, factor } = attributes;
    const gradient = f('gradient');
    const target = f('inputGradient');
    if (!attributes.accumulate) target.fill(0);
    eachTap(attributes, ({ position, place }) => {
      for (let plane = 0; plane < images * channels; plane++) {
        const to = plane * height * width + place;
        const from = plane * outHeight * outWidth + position;
        target[to] = at(target, to) + factor * at(gradient, from);
      }
    });
  },
} satisfies Partial<ReferenceKernels>;

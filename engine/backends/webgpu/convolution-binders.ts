import type { ConvolutionAttributes, Windowed } from '../../graph/convolution-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Binder, type Call, type Dispatch, perElement } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

type ConvolutionKernel = keyof ConvolutionAttributes;

/** Channels that an invocation of a convolution works on. */
const LANES = 4;

/** Convolutions and pooling, in gather form: no two invocations write the same word. */
export const convolutionBinders: { readonly [K in ConvolutionKernel]: Binder<K> } = {
  conv2d_forward: (call, profile) => {
    const { images, outputs, groups, outHeight, outWidth } = call.attributes;
    const planes = images * groups * Math.ceil(outputs / groups / LANES);
    return onImages('convolution/conv2d_forward', call, planes * outHeight * outWidth, profile);
  },
  conv2d_backward_input: (call, profile) => {
    const { images, channels, groups, height, width } = call.attributes;
    const planes = images * groups * Math.ceil(channels / groups / LANES);
    return onImages('convolution/conv2d_backward_input', call, planes * height * width, profile);
  },
  conv2d_backward_weight: (call, profile) => {
    const { images, chunk, channels, outputs, groups, kernelHeight, kernelWidth } = call.attributes;
    const planes = Math.ceil(images / chunk) * groups * Math.ceil(outputs / groups / LANES);
    const depth = (channels / groups) * kernelHeight * kernelWidth;
    return onImages('convolution/conv2d_backward_weight', call, planes * depth, profile);
  },
  channel_sum: (call, profile) => {
    const { images, chunk, channels } = call.attributes;
    const sums = Math.ceil(images / chunk) * channels;
    return perElement('convolution/channel_sum', call, sums, profile);
  },
  pool2d_forward: (call, profile) => {
    const { images, channels, outHeight, outWidth } = call.attributes;
    const count = images * channels * outHeight * outWidth;
    return onImages('convolution/pool2d_forward', call, count, profile);
  },
  pool2d_backward: (call, profile) => {
    const { images, channels, height, width } = call.attributes;
    const count = images * channels * height * width;
    return onImages('convolution/pool2d_backward', call, count, profile);
  },
};

/** An image is a whole row of packed spikes, not one of its lines. */
function onImages(
  path: string,
  call: Call<Exclude<ConvolutionKernel, 'channel_sum'>>,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  const { channels, height, width }: Windowed = call.attributes;
  const dispatch = perElement(path, call, invocations, profile);
  const words = { WORDS: wordsPerRow(channels * height * width) };
  return { ...dispatch, constants: { ...dispatch.constants, ...words } };
}

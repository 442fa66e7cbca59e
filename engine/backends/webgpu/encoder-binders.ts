import type { EncoderAttributes } from '../../graph/encoder-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import {
  type Binder,
  type Call,
  type Dispatch,
  elements,
  perElement,
  withConditions,
} from './dispatch.ts';

/** Encoders write whole words of spikes, decoders one number an invocation. */
export const encoderBinders: { readonly [K in keyof EncoderAttributes]: Binder<K> } = {
  latency_encode: (call, profile) => {
    const { steps, rows, width } = call.attributes;
    return perElement('encoders/latency_encode', call, steps * rows * wordsPerRow(width), profile);
  },
  latency_decode: (call, profile) =>
    perElement('encoders/latency_decode', call, elements(call.attributes), profile),
  delta_encode: (call, profile) => {
    const { rows, width } = call.attributes;
    const words = rows * wordsPerRow(2 * width);
    return onBothSigns(call, perElement('encoders/delta_encode', call, words, profile));
  },
  delta_decode: (call, profile) => {
    const signals = elements(call.attributes);
    return onBothSigns(call, perElement('encoders/delta_decode', call, signals, profile));
  },
  tas_encode: (call, profile) => {
    const { steps, rows, width, signalSteps } = call.attributes;
    const dispatch = perElement('encoders/tas_encode', call, rows * wordsPerRow(width), profile);
    const HELD = signalSteps === 1 && steps > 1;
    return withConditions(dispatch, { HELD });
  },
  tas_decode: (call, profile) =>
    perElement('encoders/tas_decode', call, elements(call.attributes), profile),
  rate_decode: (call, profile) =>
    perElement('encoders/rate_decode', call, elements(call.attributes), profile),
  gammatone_envelope: (call, profile) => {
    const { rows, channels } = call.attributes;
    return perElement('encoders/gammatone_envelope', call, rows * channels, profile);
  },
};

/** Rows of spikes hold an ON and an OFF neuron for each signal. */
function onBothSigns(call: Call<'delta_encode' | 'delta_decode'>, dispatch: Dispatch): Dispatch {
  const words = { WORDS: wordsPerRow(2 * call.attributes.width) };
  return { ...dispatch, constants: { ...dispatch.constants, ...words } };
}

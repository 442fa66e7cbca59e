import type { EncoderAttributes } from '../../graph/encoder-kernels.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';

/** Bands that engine/backends/wasm/assembly/gammatone.ts takes at a time. */
const LANES = 4;

/** Rows of one step are the items: each is carried through all steps by one thread. */
export const encoderBinders: WasmBinders<keyof EncoderAttributes> = {
  latency_encode: ({ operands, attributes: { steps, rows, width } }, { at, threads }) =>
    single({
      kernel: 'latency_encode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.intensity), at(operands.bounds), at(operands.spikes)],
        ...[steps, rows, width],
      ],
    }),
  latency_decode: ({ operands, attributes: { steps, rows, width } }, { at, threads }) =>
    single({
      kernel: 'latency_decode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.spikes), at(operands.values), at(operands.output)],
        ...[steps, rows, width],
      ],
    }),
  delta_encode: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, threshold, level } = attributes;
    return single({
      kernel: 'delta_encode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.signal), at(operands.spikes), steps, rows, width],
        ...[real(threshold), Number(level)],
      ],
      scratchBytes: 4 * width,
    });
  },
  delta_decode: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, threshold } = attributes;
    return single({
      kernel: 'delta_decode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [at(operands.spikes), at(operands.output), steps, rows, width, real(threshold)],
      scratchBytes: 4 * width,
    });
  },
  tas_encode: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, signalSteps, alpha, rho } = attributes;
    const stride = signalSteps === 1 && steps > 1 ? 0 : rows * width;
    return single({
      kernel: 'tas_encode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.signal), at(operands.spikes), steps, rows, width, stride],
        ...[real(alpha), real(rho)],
      ],
      scratchBytes: 8 * width,
    });
  },
  tas_decode: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, alpha, rho } = attributes;
    return single({
      kernel: 'tas_decode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.spikes), at(operands.output), steps, rows, width],
        ...[real(alpha), real(rho)],
      ],
      scratchBytes: 4 * width,
    });
  },
  rate_decode: ({ operands, attributes: { steps, rows, width } }, { at, threads }) =>
    single({
      kernel: 'rate_decode',
      items: rows,
      grain: grainOf(rows, threads),
      args: [at(operands.spikes), at(operands.output), steps, rows, width],
    }),
  gammatone_envelope: ({ operands, attributes }, { at, threads }) => {
    const { rows, samples, channels, hop, gain, exponent } = attributes;
    const items = rows * Math.ceil(channels / LANES);
    return single({
      kernel: 'gammatone_envelope',
      items,
      grain: grainOf(items, threads),
      args: [
        ...[at(operands.waveform), at(operands.poles), at(operands.envelope)],
        ...[rows, samples, channels, hop, real(gain), real(exponent)],
      ],
    });
  },
};

import type { SpikeReset } from '../../graph/nir-kernels.ts';
import { grainOf, single, type WasmBinders } from './commands.ts';
import { perElement } from './items.ts';

/** The numbers of engine/backends/wasm/assembly/integrate-fire.ts. */
const RESETS: Readonly<Record<SpikeReset, number>> = { none: 0, value: 1, subtract: 2, delayed: 3 };
/** Lanes of a vector: neurons of a row that integrate_fire takes at a time. */
const LANES = 4;
/** Items below this number are not worth another thread's attention. */
const LEAST_GRAIN = 64;

export const nirBinders: WasmBinders<'integrate_fire' | 'delay_features'> = {
  integrate_fire: ({ operands, attributes }, { at, threads }) => {
    const { drive, parameters, membrane, output } = operands;
    const { steps, rows, width, reset } = attributes;
    const items = rows * Math.ceil(width / LANES);
    return single({
      kernel: 'integrate_fire',
      items,
      grain: grainOf(items, threads, LEAST_GRAIN),
      args: [
        ...[at(drive), at(parameters), at(membrane), at(output)],
        ...[steps, rows, width, RESETS[reset]],
      ],
    });
  },
  delay_features: ({ operands, attributes }, site) => {
    const { input, delays, past, output } = operands;
    const { steps, rows, width, depth } = attributes;
    const ends = [site.at(input), site.at(delays), site.at(past), site.at(output)];
    return perElement(
      'delay_features',
      rows * width,
      [...ends, steps, rows * width, width, depth],
      site,
    );
  },
};

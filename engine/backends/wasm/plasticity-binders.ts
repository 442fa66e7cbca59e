import type { KernelName } from '../../graph/kernel-table.ts';
import type { PlasticityAttributes, plasticityRoles } from '../../graph/plasticity-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, type Real, real, single, type WasmBinders } from './commands.ts';
import { perElement, perRow } from './items.ts';

/* The sizes of engine/backends/wasm/assembly/stdp.ts and homeostasis.ts. */
const SOURCES = 32;
const TARGETS = 4;

/** A kernel whose items are few and go through many synapses each. */
function perItem(
  kernel: string,
  items: number,
  args: readonly (number | Real)[],
  threads: number,
): Bound {
  return single({ kernel, items, grain: grainOf(items, threads), args });
}

/** Amplitudes and bounds as the kernels of STDP take them. */
function side({ pair, triplet, slowDecay, low, high, soft }: PlasticityAttributes['stdp_depress']) {
  return [real(pair), real(triplet * slowDecay), real(low), real(high), Number(soft)];
}

export const plasticityBinders: WasmBinders<Extract<KernelName, keyof typeof plasticityRoles>> = {
  spike_trace: ({ operands, attributes }, { at, threads }) => {
    const { rows, width, decay, increment, saturates } = attributes;
    const items = rows * wordsPerRow(width);
    const ends = [at(operands.spikes), at(operands.trace)];
    return single({
      kernel: 'spike_trace',
      items,
      grain: grainOf(items, threads, 32),
      args: [...ends, width, real(decay), real(increment), Number(saturates)],
    });
  },
  stdp_depress: ({ operands, attributes }, { at, threads }) => {
    const { spikes, trace, slow, rowStart, target, weight } = operands;
    const { pre, post } = attributes;
    const places = [spikes, trace, slow, rowStart, target, weight].map(at);
    const args = [...places, post, ...side(attributes)];
    return perItem('stdp_depress', wordsPerRow(pre), args, threads);
  },
  stdp_potentiate: ({ operands, attributes }, { at, threads }) => {
    const { spikes, trace, slow, columnStart, synapseOf, source, weight } = operands;
    const { pre, post } = attributes;
    if (!columnStart) {
      const items = Math.ceil(pre / SOURCES);
      return single({
        kernel: 'stdp_potentiate_dense',
        items,
        grain: grainOf(items, threads),
        args: [...[spikes, trace, slow, weight].map(at), pre, post, ...side(attributes)],
        scratchBytes: 8 * post,
      });
    }
    const places = [spikes, trace, slow, columnStart, synapseOf, source, weight].map(at);
    const args = [...places, ...side(attributes)];
    return perItem('stdp_potentiate', wordsPerRow(post), args, threads);
  },
  reward_update: ({ operands: { reward, eligibility, weight }, attributes }, site) => {
    const { count, decay, rate, low, high } = attributes;
    const places = [reward, eligibility, weight].map(site.at);
    const args = [...places, count, real(decay), real(rate), real(low), real(high)];
    return perElement('reward_update', count, args, site);
  },
  bcm_update: ({ operands, attributes }, { at, threads }) => {
    const { spikes, activity, threshold, rowStart, target, weight } = operands;
    const { pre, post, rate, low, high } = attributes;
    const places = [spikes, activity, threshold, rowStart, target, weight].map(at);
    const args = [...places, post, real(rate), real(low), real(high)];
    return perItem('bcm_update', wordsPerRow(pre), args, threads);
  },
  bcm_threshold: ({ operands: { activity, threshold }, attributes }, site) => {
    const { count, setpoint, rate } = attributes;
    const places = [site.at(activity), site.at(threshold)];
    const args = [...places, count, real(1 / setpoint), real(rate)];
    return perElement('bcm_threshold', count, args, site);
  },
  synaptic_scaling: ({ operands, attributes }, site) => {
    const { clock, rate, target, weight } = operands;
    const { count, post, gain, setpoint, interval, low, high } = attributes;
    const places = [clock, rate, target, weight].map(site.at);
    const rule = [real(gain), real(setpoint), interval, real(low), real(high)];
    return perElement('synaptic_scaling', count, [...places, count, post, ...rule], site);
  },
  incoming_normalise: ({ operands, attributes: { pre, post, total } }, { at, threads }) => {
    const { columnStart, synapseOf, weight } = operands;
    if (!columnStart) {
      const args = [at(weight), pre, post, real(total)];
      return perItem('incoming_normalise_dense', Math.ceil(post / TARGETS), args, threads);
    }
    const args = [at(columnStart), at(synapseOf), at(weight), real(total)];
    return perItem('incoming_normalise', post, args, threads);
  },
  competing_lif: ({ operands, attributes }, { at, threads }) => {
    const { current, offset, membrane, refractory, spikes } = operands;
    const { rows, width, decay, threshold, reset, refractorySteps } = attributes;
    const places = [current, offset, membrane, refractory, spikes].map(at);
    const rule = [real(decay), real(threshold), real(reset), refractorySteps];
    return perItem(
      'competing_lif',
      rows * wordsPerRow(width),
      [...places, width, ...rule],
      threads,
    );
  },
  lateral_inhibition: ({ operands: { spikes, membrane }, attributes }, site) => {
    const { rows, width, strength } = attributes;
    const args = [site.at(spikes), site.at(membrane), width, real(strength)];
    return perRow('lateral_inhibition', rows, args, site);
  },
  select_step: ({ operands: { source, clock, target }, attributes }, { at }) => {
    const args = [at(source), at(clock), at(target), attributes.count, attributes.steps];
    return perItem('select_step', 1, args, 1);
  },
};

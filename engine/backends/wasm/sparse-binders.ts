import type { SparseAttributes } from '../../graph/sparse-kernels.ts';
import { SYNAPSE_BLOCK } from '../../graph/synapses.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';
import { perRow } from './items.ts';

/* The sizes of engine/backends/wasm/assembly/{event-mix,sparse-linear,event-scan}.ts. */
const MEANS_COLUMNS = 128;
const TURN_ROWS = 8;
const TURN_SEQUENCES = 4;

/** Bytes of a row of floats with room for 16 more. */
function wrappedBytes(width: number): number {
  return 4 * (width + SYNAPSE_BLOCK);
}

/** Bytes of a mask and twice as much for membranes, by expert, and one mask more. */
function scanScratch({ width, experts }: { width: number; experts: number }): number {
  const mask = SYNAPSE_BLOCK * (Math.ceil(width / SYNAPSE_BLOCK) + 1);
  return mask * (3 * experts + 1);
}

type SynapseBinders = WasmBinders<
  | 'sparse_linear_forward'
  | 'sparse_linear_backward'
  | 'event_scan_forward'
  | 'event_scan_backward'
  | 'event_mix_forward'
  | 'event_mix_backward'
  | 'expert_means'
  | 'hebbian_update'
>;

const synapseBinders: SynapseBinders = {
  sparse_linear_forward: ({ operands, attributes }, { at, threads }) => {
    const { input, weight, topology, experts, output, residual } = operands;
    const { rows, active, width, fanIn, scale } = attributes;
    const places = [input, weight, topology, experts, output, residual].map(at);
    return single({
      kernel: 'sparse_linear_forward',
      items: active * rows,
      grain: grainOf(active * rows, threads),
      args: [...places, rows, width, fanIn, real(scale), attributes.experts],
      scratchBytes: wrappedBytes(width) + 4 * SYNAPSE_BLOCK,
    });
  },
  sparse_linear_backward: ({ operands, attributes }, { at, threads }) => {
    const { gradient, weight, topology, experts, inputGradient } = operands;
    const { rows, active, width, fanIn, scale, accumulate } = attributes;
    const places = [gradient, weight, topology, experts, inputGradient].map(at);
    const groups = Math.ceil(rows / TURN_ROWS);
    return single({
      kernel: 'sparse_linear_backward',
      items: groups,
      grain: grainOf(groups, threads),
      args: [
        ...places,
        Number(accumulate),
        rows,
        width,
        fanIn,
        real(scale),
        active,
        attributes.experts,
      ],
      scratchBytes: TURN_ROWS * wrappedBytes(width),
    });
  },
  event_scan_forward: ({ operands, attributes }, { at }) => {
    const { drive, weight, topology, experts, slots, state, spikes, current } = operands;
    const { rows, active, width, fanIn, sequence, theta, gain, leak } = attributes;
    const places = [drive, weight, topology, experts, slots, state, spikes, current].map(at);
    const sizes = [rows, active, attributes.experts, width, fanIn, sequence];
    return single({
      kernel: 'event_scan_forward',
      items: rows / sequence,
      grain: 1,
      args: [...places, ...sizes, real(theta), gain, leak],
      scratchBytes: scanScratch(attributes),
    });
  },
  event_scan_backward: ({ operands, attributes }, { at }) => {
    const { current, weight, topology, experts, gradient } = operands;
    const { rows, active, width, fanIn, sequence, theta, gain } = attributes;
    const places = [current, weight, topology, experts, gradient].map(at);
    const sizes = [rows, active, attributes.experts, width, fanIn, sequence];
    return single({
      kernel: 'event_scan_backward',
      items: Math.ceil(rows / sequence / TURN_SEQUENCES),
      grain: 1,
      args: [...places, ...sizes, real(1 / theta), real(gain / theta)],
      scratchBytes: TURN_SEQUENCES * attributes.experts * wrappedBytes(width),
    });
  },
  event_mix_forward: ({ operands, attributes: { rows, active, width, factor } }, site) => {
    const { stream, spikes, gates, output, mask } = operands;
    const places = [stream, spikes, gates, output, mask].map(site.at);
    return perRow('event_mix_forward', rows, [...places, rows, active, width, real(factor)], site);
  },
  event_mix_backward: ({ operands, attributes: { rows, active, width, factor } }, site) => {
    const { gradient, spikes, gates, spikeGradient, gateGradient, mask } = operands;
    const places = [gradient, spikes, gates, spikeGradient, gateGradient, mask].map(site.at);
    const args = [...places, rows, width, real(factor)];
    return perRow('event_mix_backward', active * rows, args, site);
  },
  expert_means: ({ operands, attributes }, { at, threads }) => {
    const { input, spikes, experts, means } = operands;
    const { rows, active, width, sequence } = attributes;
    const groups = Math.ceil(width / MEANS_COLUMNS);
    return single({
      kernel: 'expert_means',
      items: groups,
      grain: grainOf(groups, threads),
      args: [
        ...[input, spikes, experts, means].map(at),
        ...[rows, active, attributes.experts, width, sequence],
      ],
      scratchBytes: attributes.experts * 4 * (8 + 3 * MEANS_COLUMNS),
    });
  },
  hebbian_update: ({ operands, attributes }, { at, threads }) => {
    const { means, topology, scale, clock, weight } = operands;
    const { experts, width, fanIn, source, rate, stream } = attributes;
    const blocks = experts * Math.ceil(width / SYNAPSE_BLOCK);
    return single({
      kernel: 'hebbian_update',
      items: blocks,
      grain: grainOf(blocks, threads),
      args: [
        ...[means, topology, scale, clock, weight].map(at),
        ...[width, fanIn, source, real(rate), stream],
      ],
    });
  },
};

export const sparseBinders: WasmBinders<keyof SparseAttributes> = {
  ...synapseBinders,
  route_forward: ({ operands, attributes }, site) => {
    const { scores, slots, state, means, experts, gates, mask } = operands;
    const { rows, active, sequence, memory } = attributes;
    const places = [scores, slots, state, means, experts, gates, mask].map(site.at);
    const sizes = [rows, active, attributes.experts, sequence, memory];
    return perRow('route_forward', rows / sequence, [...places, ...sizes], site);
  },
  running_mean_forward: ({ operands, attributes: { rows, width, sequence } }, site) => {
    const { input, slots, state, mask, output, rates } = operands;
    const places = [input, slots, state, mask, output, rates].map(site.at);
    return perRow('running_mean_forward', rows / sequence, [...places, width, sequence], site);
  },
  running_mean_backward: ({ operands, attributes: { rows, width, sequence } }, { at, threads }) => {
    const { gradient, rates, inputGradient } = operands;
    return single({
      kernel: 'running_mean_backward',
      items: rows / sequence,
      grain: grainOf(rows / sequence, threads),
      args: [...[gradient, rates, inputGradient].map(at), width, sequence],
      scratchBytes: 4 * width,
    });
  },
  expert_load: ({ operands: { experts, load }, attributes }, { at }) =>
    single({
      kernel: 'expert_load',
      items: 1,
      grain: 1,
      args: [at(experts), at(load), attributes.active * attributes.rows, attributes.experts],
    }),
  route_backward: ({ operands, attributes }, { at, threads }) => {
    const { means, experts, load, gateGradient, scoreGradient } = operands;
    const { rows, active, sequence, balance } = attributes;
    const places = [means, experts, load, gateGradient, scoreGradient].map(at);
    const sizes = [rows, active, attributes.experts, sequence];
    return single({
      kernel: 'route_backward',
      items: rows / sequence,
      grain: grainOf(rows / sequence, threads),
      args: [...places, ...sizes, real((balance * attributes.experts) / rows)],
      scratchBytes: 4 * 4 * attributes.experts,
    });
  },
  expert_mask_forward: ({ operands, attributes }, site) => {
    const { rows, active, rank, experts } = attributes;
    const places = [operands.input, operands.experts, operands.output].map(site.at);
    return perRow('expert_mask_forward', active * rows, [...places, rows, rank, experts], site);
  },
  expert_mask_backward: ({ operands, attributes }, site) => {
    const { rows, active, rank, experts, accumulate } = attributes;
    const places = [operands.gradient, operands.experts, operands.inputGradient].map(site.at);
    const args = [...places, Number(accumulate), rows, active, rank, experts];
    return perRow('expert_mask_backward', rows, args, site);
  },
  codebook_rows: ({ operands, attributes: { rows, vocabulary, rank, scale } }, site) => {
    const places = [operands.ids, operands.codebook, operands.output].map(site.at);
    return perRow('codebook_rows', rows, [...places, vocabulary, rank, real(scale)], site);
  },
  draw_candidates: ({ operands, attributes: { count, vocabulary, stream } }, site) => {
    const args = [site.at(operands.clock), site.at(operands.ids), count, vocabulary, stream];
    return perRow('draw_candidates', Math.ceil(count / 4), args, site);
  },
  candidate_join_forward: ({ operands, attributes }, site) => {
    const { scores, query, codes, targets, candidates, logits } = operands;
    const { rows, drawn, rank, correction } = attributes;
    const places = [scores, query, codes, targets, candidates, logits].map(site.at);
    return perRow('candidate_join_forward', rows, [...places, drawn, rank, real(correction)], site);
  },
  candidate_join_backward: ({ operands, attributes }, site) => {
    const { gradient, codes, scoreGradient, queryGradient } = operands;
    const { rows, drawn, rank, accumulate } = attributes;
    const places = [gradient, codes, scoreGradient, queryGradient].map(site.at);
    const args = [...places, Number(accumulate), drawn, rank];
    return perRow('candidate_join_backward', rows, args, site);
  },
};

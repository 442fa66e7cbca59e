import {
  drawSynapses,
  drawTopology,
  fanOutShape,
  listFanOut,
  type SynapseShape,
  topologyShape,
  weightShape,
} from '../../../engine/kernels/synapses.ts';
import type { Source } from '../random.ts';
import {
  bits,
  both,
  type CaseMakers,
  clock,
  dyadic,
  emptyBits,
  f32,
  numbers,
  slotWords,
  u32,
} from './operands.ts';
import { layers, nameOf, routed, routingCases } from './routing.ts';

function synapses(shape: SynapseShape) {
  const topology = drawTopology(shape, 5, 1);
  const weight = u32([...weightShape(shape)], drawSynapses(shape, 6, 2));
  return {
    forward: { weight, topology: u32([...topologyShape(shape)], topology) },
    backward: {
      weight,
      topology: u32([...topologyShape(shape)], topology),
      fanOut: u32([...fanOutShape(shape)], listFanOut(shape, topology)),
    },
  };
}

/** The same in sequences, some of them of one token. */
function scans(size: number) {
  return layers(size).map((layer) => ({
    ...layer,
    sequence: [5, 3].find((tokens) => layer.rows % tokens === 0) ?? 1,
    theta: 64,
    gain: 2,
  }));
}

const synapseCases = {
  sparse_linear_forward: (size, from) =>
    layers(size).map((layer) => {
      const { rows, active, width, experts } = layer;
      return {
        name: nameOf(layer),
        kernel: 'sparse_linear_forward',
        operands: {
          input: numbers([1, rows, width], from),
          ...synapses(layer).forward,
          experts: routed(active, rows, from, experts),
          output: numbers([active, rows, width], from),
          ...(active === 2 && { residual: numbers([active, rows, width], from) }),
        },
        attributes: { ...layer, scale: 1 / 127 },
      };
    }),
  sparse_linear_backward: (size, from) =>
    layers(size).flatMap((layer) =>
      both.map((accumulate) => {
        const { rows, active, width, experts } = layer;
        return {
          name: `${nameOf(layer)}, accumulate ${accumulate}`,
          kernel: 'sparse_linear_backward',
          operands: {
            gradient: numbers([active, rows, width], from),
            ...synapses(layer).backward,
            experts: routed(active, rows, from, experts),
            inputGradient: numbers([1, rows, width], from),
          },
          attributes: { ...layer, scale: 1 / 127, accumulate },
        };
      }),
    ),
  event_scan_forward: (size, from) =>
    scans(size).map((scan) => {
      const { rows, active, width, experts, sequence } = scan;
      const sequences = rows / sequence;
      const words = Math.ceil(width / 2) + Math.ceil(width / 32);
      return {
        name: nameOf(scan),
        kernel: 'event_scan_forward',
        operands: {
          drive: dyadic([active, rows, width], from, -1, 2),
          ...synapses(scan).forward,
          experts: routed(active, rows, from, experts),
          slots: slotWords({ rows: sequences, slots: sequences + 1 }, from),
          state: scanStates((sequences + 1) * experts, width, words, from),
          spikes: emptyBits([active, rows, width]),
          current: u32([active, rows, width], from.integers(active * rows * width, 1000)),
        },
        attributes: { ...scan, leak: 230, slotCount: sequences + 1 },
      };
    }),
  event_scan_backward: (size, from) =>
    scans(size).map((scan) => {
      const { rows, active, width, experts } = scan;
      const count = active * rows * width;
      const current = Uint32Array.from(from.floats(count, -200, 200), (value) => value | 0);
      return {
        name: nameOf(scan),
        kernel: 'event_scan_backward',
        operands: {
          current: u32([active, rows, width], current),
          ...synapses(scan).backward,
          experts: routed(active, rows, from, experts),
          gradient: numbers([active, rows, width], from),
        },
        attributes: { ...scan, gain: 0.1 },
      };
    }),
  expert_means: (size, from) =>
    scans(size).map((scan) => {
      const { rows, active, width, experts } = scan;
      return {
        name: nameOf(scan),
        kernel: 'expert_means',
        operands: {
          input: numbers([1, rows, width], from),
          spikes: bits([active, rows, width], from),
          experts: routed(active, rows, from, experts),
          means: numbers([experts, 3, width], from),
        },
        attributes: scan,
      };
    }),
  hebbian_update: (size, from) =>
    layers(size).flatMap((layer) =>
      // Moves past both bounds, moves of a step at most, and a step that was left out.
      [
        { scale: 1, source: 1, rate: 100 },
        { scale: 0.5, source: 0, rate: 0.127 },
        { scale: -1, source: 0, rate: 100 },
      ].map(({ scale, ...rule }) => ({
        name: `${nameOf(layer)}, scale ${scale}`,
        kernel: 'hebbian_update',
        operands: {
          means: numbers([layer.experts, 3, layer.width], from, -2, 2),
          ...synapses(layer).forward,
          scale: f32([1], Float32Array.of(scale)),
          clock: clock(4, 0, 1),
        },
        attributes: { ...layer, ...rule, stream: 9 },
      })),
    ),
} satisfies Partial<CaseMakers>;

/** Membranes, and spikes in bits that exist. */
function scanStates(count: number, width: number, words: number, from: Source) {
  const state = new Uint32Array(count * words);
  const pairs = Math.ceil(width / 2);
  for (let one = 0; one < count; one++) {
    const own = state.subarray(one * words, (one + 1) * words);
    own.set(
      from.floats(pairs, 0, 2 ** 16).map((value) => Math.floor(value)),
      0,
    );
    own.set(from.spikes(1, width), pairs);
  }
  return u32([count, words], state);
}

export const sparseCases = { ...synapseCases, ...routingCases };

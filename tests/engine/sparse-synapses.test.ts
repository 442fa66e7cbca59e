import { kernels } from '../../engine/kernels/kernels.ts';
import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import {
  checkSynapses,
  drawSynapses,
  drawTopology,
  fanInOf,
  forEachLink,
  listFanOut,
  sourceOfLink,
  type SynapseShape,
  weightShape,
} from '../../engine/kernels/synapses.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import {
  sparseDefaults,
  type SparseStructure,
  synapseUse,
} from '../../engine/models/sparse-event-memory/structure.ts';
import {
  eventMix,
  eventScan,
  scanStateShape,
  type Sequences,
  sparseLinear,
  type Synapses,
} from '../../engine/ops/event-scan.ts';
import { expertMask, route } from '../../engine/ops/routing.ts';
import { slotWord } from '../../engine/kernels/slots.ts';
import { worstGradientError } from './gradient-check.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const shape: SynapseShape = { width: 37, fanIn: 5, experts: 2 };
const SEQUENCE = 4;
const ROWS = 2 * SEQUENCE;
const topology = drawTopology(shape, 3, 0);
const bytes = new Int8Array(drawSynapses(shape, 4, 0).buffer);

function synapses(graph: Graph, name = 'synapses'): Synapses {
  const words = new Uint32Array(bytes.buffer);
  return { shape, weight: graph.constant(name, weightShape(shape), words), topology };
}

/** Tokens that go to one expert each, or to both in either order. */
function routed(graph: Graph, active: 1 | 2): Tensor {
  const first = [0, 1, 1, 0, 1, 1, 1, 0];
  const words = Uint32Array.from([...first, ...first.map((expert) => 1 - expert)]);
  return graph.constant('experts', [active, ROWS], words.subarray(0, active * ROWS));
}

function fromRest(graph: Graph) {
  const words = Uint32Array.of(slotWord(0, true), slotWord(1, true));
  return { sequence: SEQUENCE, slots: graph.constant('slots', [2], words), slotCount: 2 };
}

describe('sparse synapses', () => {
  it('take the links and bytes of the worked example', () => {
    const structure: SparseStructure = {
      ...sparseDefaults,
      vocabulary: 65,
      width: 2048,
      blocks: 12,
    };
    const { links, storedBytes } = synapseUse(structure);
    expect(links).toBe(1_081_344);
    expect((storedBytes / 2 ** 20).toFixed(2)).toBe('10.03');
  });

  it.each([
    [2048, 0.005, 11],
    [100, 0.07, 7],
    [100, 1e-6, 1],
    [64, 1, 64],
    [1, 0.005, 1],
  ])('give each of %i neurons at density %f a fan-in of %i', (width, density, fanIn) => {
    expect(fanInOf(width, density)).toBe(fanIn);
  });

  // Prime, a power of two, one block exactly, less than one.
  it.each([997, 256, 16, 5, 1])('link each of %i neurons to different ones', (width) => {
    const all = { width, fanIn: Math.min(width, 9), experts: 2 };
    const drawn = drawTopology(all, 11, 1);
    const heard = new Map<string, Set<number>>();
    forEachLink(all, (link) => {
      const key = `${link.expert} ${link.neuron}`;
      heard.set(key, (heard.get(key) ?? new Set()).add(sourceOfLink(all, drawn, link)));
    });
    expect(heard.size).toBe(2 * width);
    expect([...heard.values()].every(({ size }) => size === all.fanIn)).toBe(true);
  });

  it('are listed by where they come from, each once', () => {
    const list = listFanOut(shape, topology);
    const words = list.length / shape.experts;
    const perExpert = bytes.length / shape.experts;
    let listed = 0;
    forEachLink(shape, (link) => {
      const own = list.subarray(link.expert * words);
      const source = sourceOfLink(shape, topology, link);
      const places = own.subarray(shape.width + 1).subarray(own[source], own[source + 1]);
      expect(places).toContain(link.place - link.expert * perExpert);
      listed++;
    });
    expect(listed).toBe(shape.experts * shape.width * shape.fanIn);
    expect(list[shape.width]).toBe(shape.width * shape.fanIn);
  });

  it('are refused in another size, naming both', () => {
    expect(() => checkSynapses('block', shape, { topology, weight: new Uint32Array(3) })).toThrow(
      'block: the weights are 3 words, expected 120',
    );
  });
});

describe('the gradient of sparse layers', () => {
  it.each([1, 2] as const)('is that of finite differences, %i experts a token', async (active) => {
    const error = await worstGradientError({
      inputs: { input: [1, ROWS, shape.width], residual: [active, ROWS, shape.width] },
      trace: (graph, { input, residual }) =>
        sparseLinear(graph, input, synapses(graph), {
          experts: routed(graph, active),
          scale: 0.01,
          residual,
        }),
    });
    expect(error).toBeLessThan(1e-8);
  });

  it.each([1, 2] as const)('reaches scores and stream by the gates of %i', async (active) => {
    const error = await worstGradientError({
      inputs: { scores: [1, ROWS, 2], stream: [1, ROWS, shape.width] },
      trace(graph, { scores, stream }) {
        const state = graph.scratch('state', 'f32', [2, 3]);
        const sequences = fromRest(graph);
        const options = { ...sequences, active, memory: 3, state, balance: 0 };
        const { experts, gates } = route(graph, scores, options);
        const drive = graph.constant(
          'drive',
          [active, ROWS, shape.width],
          randomSource(5).floats(active * ROWS * shape.width, -1, 3),
        );
        const spikes = eventScan(graph, drive, synapses(graph), scan(graph, experts, sequences));
        return eventMix(graph, stream, spikes, { gates, factor: 1.5 });
      },
    });
    expect(error).toBeLessThan(1e-8);
  });

  it('goes to the features of the expert alone', async () => {
    const error = await worstGradientError({
      inputs: { input: [1, ROWS, 6] },
      trace: (graph, { input }) => expertMask(graph, input, routed(graph, 2), 2),
    });
    expect(error).toBeLessThan(1e-9);
  });

  it('of the load-balance term is that of its definition', async () => {
    const balance = 0.7;
    const layout = layOutParameters([
      {
        name: 'scores',
        shape: [1, ROWS, 2],
        initial: { kind: 'constant', value: 0 },
        decayed: false,
      },
    ]);
    const graph = new Graph('balance', layout);
    const scores = graph.parameter('scores');
    const state = graph.scratch('state', 'f32', [2, 3]);
    const options = { ...fromRest(graph), active: 1, memory: 3, state, balance };
    const { experts, gates } = route(graph, scores, options);
    const chosen = graph.local('chosen', 'u32', [1, ROWS]);
    graph.call(kernels.copy, { source: experts, target: chosen }, { count: ROWS });
    differentiate(graph, gates, graph.local('no gradient of the gates', 'f32', gates.shape));
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const given = randomSource(8).floats(2 * ROWS);
    player.write(scores, given);
    player.play(program);
    const first = await player.read(chosen);
    const load = [0, 1].map((e) => first.filter((expert) => expert === e).length / ROWS);
    const term = (values: Float64Array) => balance * 2 * meanShares(values, load);

    const traced = await player.read(layout.get('scores').gradient);

    for (const [i, gradient] of traced.entries()) {
      const moved = (by: number) => {
        const values = Float64Array.from(given);
        values[i]! += by;
        return term(values);
      };
      expect(gradient).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 6);
    }
  });

  it('goes back through tokens by the links, as tangents go forward', async () => {
    const count = ROWS * shape.width;
    const layout = layOutParameters([
      {
        name: 'drive',
        shape: [1, ROWS, shape.width],
        initial: { kind: 'constant', value: 0 },
        decayed: false,
      },
    ]);
    const graph = new Graph('scan', layout);
    const drive = graph.parameter('drive');
    const experts = routed(graph, 1);
    const spikes = eventScan(graph, drive, synapses(graph), scan(graph, experts, fromRest(graph)));
    const seed = graph.local('gradient of the spikes', 'f32', spikes.shape);
    differentiate(graph, spikes, seed);
    const kept = graph.local('kept', 'bits', spikes.shape);
    graph.call(kernels.copy, { source: spikes, target: kept }, { count: ROWS * 2 });
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const from = randomSource(6);
    const drives = from.floats(count, -1, 2);
    const [wanted, moved] = [from.floats(count), from.floats(count)];
    player.write(drive, drives);
    player.write(seed, wanted);
    player.play(program);
    const bits = await player.read(kept);
    const gradient = await player.read(layout.get('drive').gradient);

    const tangent = tangentOf({ drives, bits, moved });

    const forward = tangent.reduce((sum, value, i) => sum + value * wanted[i]!, 0);
    const back = Array.from(gradient).reduce((sum, value, i) => sum + value * moved[i]!, 0);
    expect(back).toBeCloseTo(forward, 4);
    expect(Math.abs(forward)).toBeGreaterThan(0.1);
  });
});

function scan(graph: Graph, experts: Tensor, sequences: Sequences) {
  const state = graph.scratch('neurons', 'u32', scanStateShape(2, shape));
  return { ...sequences, experts, state, leak: 200, theta: 64, gain: 1 };
}

/** `sum_e load_e mean(softmax_e)` of the running means of scores. */
function meanShares(scores: Float64Array, load: readonly number[]): number {
  let sum = 0;
  let means = [0, 0];
  for (let row = 0; row < ROWS; row++) {
    const token = row % SEQUENCE;
    const rate = 1 / Math.min(3, token + 1);
    means = means.map((mean, e) => {
      const before = token === 0 ? 0 : mean;
      return before + rate * (scores[row * 2 + e]! - before);
    });
    const weights = means.map(Math.exp);
    const total = weights[0]! + weights[1]!;
    sum += (load[0]! * weights[0]! + load[1]! * weights[1]!) / total / ROWS;
  }
  return sum;
}

/** How spikes would move with the drive, if each were the sigmoid of its current: link by link, token by token. */
function tangentOf({
  drives,
  bits,
  moved,
}: {
  readonly drives: Float32Array;
  readonly bits: ArrayLike<number>;
  readonly moved: Float32Array;
}): Float64Array {
  const { width } = shape;
  const experts = [0, 1, 1, 0, 1, 1, 1, 0];
  const tangent = new Float64Array(ROWS * width);
  const current = drives.map((drive) => Math.round(64 * drive));
  for (let row = 0; row < ROWS; row++) {
    const expert = experts[row]!;
    const begin = row - (row % SEQUENCE);
    const before = experts.findLastIndex((one, r) => one === expert && r < row && r >= begin);
    const delta = Float64Array.from(moved.subarray(row * width, (row + 1) * width));
    if (before >= 0) {
      forEachLink(shape, (link) => {
        if (link.expert !== expert) return;
        const source = sourceOfLink(shape, topology, link);
        const spike = (bits[before * 2 + (source >> 5)]! >>> (source & 31)) & 1;
        current[row * width + link.neuron]! += spike * bytes[link.place]!;
        delta[link.neuron]! += (bytes[link.place]! / 64) * tangent[before * width + source]!;
      });
    }
    for (const [neuron, change] of delta.entries()) {
      const s = 1 / (1 + Math.exp(-current[row * width + neuron]! / 64));
      tangent[row * width + neuron] = s * (1 - s) * change;
    }
  }
  return tangent;
}

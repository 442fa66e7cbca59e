import {
  placeBlocks,
  type PlacedBlock,
  type SpikingConvStructure,
} from '../../engine/models/spiking-conv/structure.ts';
import type { Image } from '../../engine/ops/window.ts';
import { smoothSpike } from './smooth-spikes.ts';

type Values = Readonly<Record<string, Float64Array>>;
/** A layer's signal, step by step. */
type Signal = readonly (readonly number[])[];

/**
 * The mean loss of a spiking convolutional classifier as a smooth function of the parameters around those
 * it starts from: spikes are what they were plus the change of the surrogate's integral, resets stay as
 * they were. Written from the equations, image by image. `firing` is the share of spikes of each layer.
 */
export function smoothSpikingConv(
  structure: SpikingConvStructure,
  values: Values,
  inputs: Float32Array,
  labels: Uint32Array,
) {
  const { steps, classes } = structure;
  const blocks = placeBlocks(structure);
  const size = inputs.length / labels.length;
  const neurons = neuronsOf(structure);
  const lossOf = (row: number): number => {
    const pixels = [...inputs.subarray(row * size, (row + 1) * size)];
    let signal: Signal = Array.from({ length: steps }, () => pixels);
    for (const placed of blocks) {
      let current = signal.map((at) => convolve(at, placed, values));
      if (structure.norm === 'layer') current = current.map((at) => normalise(at, values, placed));
      signal = neurons.fire(`${row} ${placed.name}`, current);
      signal = signal.map((at) => meanOfWindows(at, placed.fired, placed.block.pool));
    }
    const hidden = signal.map((at) => dense(at, values, 'hidden'));
    const spikes = neurons.fire(`${row} hidden`, hidden);
    const output = spikes.map((at) => dense(at, values, 'output'));
    const logits = Array.from(
      { length: classes },
      (_, c) => output.reduce((sum, at) => sum + at[c]!, 0) / steps,
    );
    return Math.log(logits.reduce((sum, u) => sum + Math.exp(u), 0)) - logits[labels[row]!]!;
  };
  const loss = () => {
    const sum = labels.reduce((total, _label, row) => total + lossOf(row), 0);
    neurons.settle();
    return sum / labels.length;
  };
  loss();
  return { loss, firing: neurons.firing() };
}

/** Neurons that remember how they fired before `settle`. */
function neuronsOf({ neuron }: SpikingConvStructure) {
  const { beta, threshold, surrogate } = neuron;
  const smooth = smoothSpike[surrogate];
  const first = new Map<string, { fired: number; smooth: number }>();
  let isFirst = true;
  const through = (name: string, currents: readonly number[]): number[] => {
    let u = 0;
    return currents.map((current, t) => {
      const reset = t > 0 ? first.get(`${name} ${t - 1}`)!.fired * threshold : 0;
      u = beta * u + current - reset;
      const at = `${name} ${t}`;
      if (isFirst) first.set(at, { fired: Number(u > threshold), smooth: smooth(u - threshold) });
      const then = first.get(at)!;
      return then.fired + smooth(u - threshold) - then.smooth;
    });
  };
  return {
    settle: () => {
      isFirst = false;
    },
    fire(layer: string, current: Signal): Signal {
      const trains = current[0]!.map((_, n) =>
        through(
          `${layer} ${n}`,
          current.map((at) => at[n]!),
        ),
      );
      return current.map((_, t) => trains.map((train) => train[t]!));
    },
    firing(): number[] {
      const layers = Map.groupBy(first, ([name]) => name.split(' ')[1]);
      return [...layers.values()].map(
        (cells) => cells.reduce((sum, [, { fired }]) => sum + fired, 0) / cells.length,
      );
    },
  };
}

function convolve(
  pixels: readonly number[],
  { name, block, input, fired }: PlacedBlock,
  values: Values,
): number[] {
  const [weight, bias] = [values[`${name}.weight`]!, values[`${name}.bias`]!];
  const { kernel, stride } = block;
  const { channels, height, width } = input;
  const padding = Math.floor((kernel - 1) / 2);
  const at = (c: number, y: number, x: number) =>
    y >= 0 && y < height && x >= 0 && x < width ? pixels[(c * height + y) * width + x]! : 0;
  const plane = fired.height * fired.width;
  return Array.from({ length: bias.length * plane }, (_, i) => {
    const [o, y, x] = [
      Math.floor(i / plane),
      stride * (Math.floor(i / fired.width) % fired.height) - padding,
      stride * (i % fired.width) - padding,
    ];
    let sum = bias[o]!;
    for (let k = 0; k < channels * kernel ** 2; k++) {
      const [c, ky, kx] = [
        Math.floor(k / kernel ** 2),
        Math.floor(k / kernel) % kernel,
        k % kernel,
      ];
      sum += weight[o * channels * kernel ** 2 + k]! * at(c, y + ky, x + kx);
    }
    return sum;
  });
}

function meanOfWindows(
  pixels: readonly number[],
  { channels, height, width }: Image,
  pool: number,
): number[] {
  const [rows, columns] = [Math.floor(height / pool), Math.floor(width / pool)];
  return Array.from({ length: channels * rows * columns }, (_, i) => {
    const [c, y, x] = [
      Math.floor(i / (rows * columns)),
      Math.floor(i / columns) % rows,
      i % columns,
    ];
    let sum = 0;
    for (let k = 0; k < pool ** 2; k++) {
      const row = y * pool + Math.floor(k / pool);
      sum += pixels[(c * height + row) * width + x * pool + (k % pool)]!;
    }
    return sum / pool ** 2;
  });
}

function normalise(current: readonly number[], values: Values, { name }: PlacedBlock): number[] {
  const mean = current.reduce((sum, x) => sum + x, 0) / current.length;
  const variance = current.reduce((sum, x) => sum + (x - mean) ** 2, 0) / current.length;
  const [gain, offset] = [values[`${name}.gain`]!, values[`${name}.offset`]!];
  return current.map((x, i) => ((x - mean) / Math.sqrt(variance + 1e-5)) * gain[i]! + offset[i]!);
}

function dense(sources: readonly number[], values: Values, name: string): number[] {
  const weight = values[`${name}.weight`]!;
  const bias = values[`${name}.bias`]!;
  return [...bias].map((start, n) =>
    sources.reduce((sum, source, k) => sum + source * weight[k * bias.length + n]!, start),
  );
}

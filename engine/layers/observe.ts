import type { Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import { type CheckedInputs, checkInputs, type Inputs, writeInputs } from './example-inputs.ts';
import { featuresOf, type Shape } from './layer.ts';
import { type Network, outputsOf } from './network.ts';
import { emptyInputs, inputTensor, startPass, type Target } from './predict.ts';
import { EngineError } from '../errors.ts';

/** Neurons of one layer while a network runs. */
export interface LayerObservation {
  /** The layer's name in its network: its option `name`, or its index. */
  readonly name: string;
  /** Features of an example: `[neurons]` or an image. */
  readonly shape: Shape;
  /** 0 or 1, `[T, N, neurons]`. */
  readonly spikes: Uint8Array;
  /**
   * `[T, N, neurons]`: membranes before their reset; of `neuron` and `alif` how far they are above the threshold;
   * absent where a layer keeps none, which is `lif` with reset to zero.
   */
  readonly membranes?: Float32Array;
  /** Spikes per time step of each neuron over all examples, from 0 to 1, `[neurons]`. */
  readonly rates: Float32Array;
}

/** Spikes, membranes and rates of every layer of neurons, over some examples. */
export interface Observation {
  /** Time steps T. */
  readonly steps: number;
  /** Examples N. */
  readonly count: number;
  readonly layers: readonly LayerObservation[];
}

/** Values of one observation, at most: spikes, and four bytes for each membrane. */
const MAX_VALUES = 2 ** 28;

/** Runs a network once and keeps what its neurons do. Throws EngineError as `checkInputs`, and for too many examples. */
export async function observeNetwork(
  target: Target,
  x: Inputs,
  count?: number,
): Promise<Observation> {
  const { network, values } = target;
  const inputs = checkInputs(x, network, count);
  const rows = inputs.count;
  const neurons = network.layers.reduce((sum, { output }) => sum + featuresOf(output), 0);
  if (neurons * rows * network.steps > MAX_VALUES) {
    throw new EngineError(
      'out-of-memory',
      `observe: ${rows} examples x ${network.steps} time steps of ${neurons} neurons: expected at most ` +
        `${MAX_VALUES} values; give it fewer examples`,
    );
  }
  const { player, program, input, kept } = await loadObservation(target, inputs);
  const batch = emptyInputs(input);
  for (let row = 0; row < rows; row++) writeInputs(inputs, row, { inputs: batch, rows, row });
  player.write(network.layout.values, values);
  player.write(input, batch);
  player.play(program);
  const layers = kept.map(async ({ membranes, ...layer }) => {
    const words = (await player.read(layer.spikes)) as Uint32Array;
    // Membranes are always f32; the words belong to the player.
    const read = membranes && ((await player.read(membranes)) as Float32Array).slice();
    return observationOf(layer, words, read);
  });
  return { steps: network.steps, count: rows, layers: await Promise.all(layers) };
}

interface Observed {
  readonly program: Program;
  readonly input: Tensor;
  readonly kept: readonly Kept[];
}

/** The latest program of a model: a page, or a learning rule, looks again and again. */
const loaded = new WeakMap<Target, Observed & { readonly key: string; readonly player: Player }>();

async function loadObservation(target: Target, inputs: CheckedInputs) {
  const { network, backend } = target;
  const { count, frames, dtype } = inputs;
  const key = [count, frames, dtype].join(' ');
  const found = loaded.get(target);
  if (found?.key === key) return found;
  closeObservations(target);
  const observed = traceObservation(network, inputs);
  const player = await backend.load(network.layout, [observed.program]);
  const made = { ...observed, key, player };
  loaded.set(target, made);
  return made;
}

/** Closes what `observeNetwork` loaded. */
export function closeObservations(target: Target): void {
  loaded.get(target)?.player.close();
  loaded.delete(target);
}

function traceObservation(network: Network, inputs: CheckedInputs): Observed {
  const graph = new Graph('observe', network.layout);
  const input = inputTensor(graph, network, inputs, inputs.count);
  const kept: Kept[] = [];
  const pass = startPass(graph, ({ name, shape, spikes, keepMembranes }) =>
    kept.push({
      name,
      shape,
      spikes: keep(graph, `spikes of ${name}`, spikes),
      membranes: keepMembranes?.(`membranes of ${name}`),
    }),
  );
  const { values, layers } = outputsOf(network, pass, input);
  // A network without neurons has to be a program all the same.
  if (layers.length === 0 && values) keep(graph, 'values', values);
  return { program: graph.build(), input, kept };
}

interface Kept {
  readonly name: string;
  readonly shape: Shape;
  readonly spikes: Tensor;
  readonly membranes: Tensor | undefined;
}

function observationOf(
  { name, shape, spikes: tensor }: Omit<Kept, 'membranes'>,
  words: Uint32Array,
  membranes: Float32Array | undefined,
): LayerObservation {
  const [steps = 1, rows = 1, width = 1] = tensor.shape;
  const spikes = new Uint8Array(steps * rows * width);
  const rates = new Float32Array(width);
  const perRow = wordsPerRow(width);
  for (let row = 0; row < steps * rows; row++) {
    for (let neuron = 0; neuron < width; neuron++) {
      const word = words[row * perRow + (neuron >>> 5)] ?? 0;
      const spike = (word >>> (neuron & 31)) & 1;
      spikes[row * width + neuron] = spike;
      rates[neuron] = (rates[neuron] ?? 0) + spike / (steps * rows);
    }
  }
  return { name, shape, spikes, rates, ...(membranes && { membranes }) };
}

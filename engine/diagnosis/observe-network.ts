import type { Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import { parameterValues } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import type { BatchArrays, BatchSource } from '../layers/batch-source.ts';
import { featuresOf, type Pass } from '../layers/layer.ts';
import type { Model } from '../layers/model.ts';
import { type Network, outputsOf } from '../layers/network.ts';
import { inputTensor, startPass } from '../layers/predict.ts';
import { type Loss, targetTensor, traceLoss } from '../losses/loss.ts';
import { holdSteps } from '../ops/hold-steps.ts';
import { keep } from '../ops/keep.ts';
import { HISTORY_SLOTS } from '../train/step-history.ts';
import { layerActivity } from '../train/spike-statistics.ts';
import { neuronSettings, readMembranes } from './membranes.ts';
import type { LayerReading, Observations } from './observations.ts';
import { type Probe, probeGradient, stepNorms } from './probe.ts';
import { readWeights } from './weights.ts';

type Looked = Pick<Observations, 'layers' | 'weights' | 'notFinite'>;

/** Runs a model forward and back on one batch, without learning, and reads what its layers do. */
export async function observeBatch(
  { network, backend, values }: Model,
  loss: Loss,
  { source, batch }: { readonly source: BatchSource; readonly batch: BatchArrays },
): Promise<Looked> {
  const traced = trace(network, loss, { source, rows: batch.rows });
  const player = await backend.load(network.layout, [traced.program]);
  try {
    player.write(network.layout.values, values);
    player.write(traced.input, batch.inputs);
    if (traced.target) player.write(traced.target, batch.targets);
    player.play(traced.program);
    const layers: LayerReading[] = [];
    for (const one of traced.neurons) layers.push(await readLayer(player, network, one));
    const gradients = ((await player.read(network.layout.gradients)) as Float32Array).slice();
    const weights = readWeights(network.layout, { values, gradients });
    return { layers, weights, notFinite: notFinite(network, { values, gradients }) };
  } finally {
    player.close();
  }
}

interface Watched {
  readonly name: string;
  readonly spikes: Tensor;
  readonly membranes: Tensor | undefined;
  readonly probe: Probe | undefined;
  readonly weights: string | undefined;
}

interface Traced {
  readonly program: Program;
  readonly input: Tensor;
  readonly target: Tensor | undefined;
  readonly neurons: readonly Watched[];
}

function trace(
  network: Network,
  loss: Loss,
  { source, rows }: { readonly source: BatchSource; readonly rows: number },
): Traced {
  const graph = new Graph('diagnose', network.layout);
  const input = inputTensor(graph, network, source, rows);
  const { probed, probes } = probedNetwork(network);
  const neurons: Watched[] = [];
  const pass = startPass(graph, ({ name, spikes, keepMembranes }) =>
    neurons.push({
      name,
      spikes: keep(graph, `spikes of ${name}`, spikes),
      membranes: keepMembranes?.(`membranes of ${name}`),
      probe: probes.get(name),
      weights: weightsInFront(network, name),
    }),
  );
  // The gradient of an input that stands for all steps would be that of all steps together.
  const isHeld = input.dtype === 'f32' && source.frames === 1;
  const steps = isHeld ? holdSteps(graph, input, network.steps) : input;
  const outputs = outputsOf(probed, pass, steps);
  const target = targetTensor(graph, loss, {
    steps: network.steps,
    width: featuresOf(network.output),
    rows,
  });
  const history = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const traced = traceLoss(graph, loss, { outputs, target }, { history, clock: clockOf(pass) });
  // A loss on membranes has not asked the last neurons whether they fire.
  if (outputs.layers.length === 0) keep(graph, 'losses', traced.losses);
  traced.differentiate();
  return { program: graph.build(), input, target, neurons };
}

function clockOf({ clock }: Pass): Tensor {
  if (clock) return clock;
  throw new Error('diagnose: a pass without a clock');
}

/** A network whose layers give the gradient of their input by the names of their sites. */
function probedNetwork(network: Network) {
  const probes = new Map<string, Probe>();
  const layers = network.layers.map((layer) => {
    const { name } = layer.site;
    const from = ({ graph }: Pass, input: Tensor) => {
      if (input.dtype === 'bits') return input;
      // The last layer is recorded once for its spikes and once for its membranes, from one input.
      const probe = probes.get(name) ?? probeGradient(graph, `the input of ${name}`, input);
      probes.set(name, probe);
      return probe.output;
    };
    const { membranes } = layer;
    return {
      ...layer,
      forward: (pass: Pass, input: Tensor) => layer.forward(pass, from(pass, input)),
      ...(membranes && {
        membranes: (pass: Pass, input: Tensor) => membranes(pass, from(pass, input)),
      }),
    };
  });
  return { probed: { ...network, layers }, probes };
}

/** The nearest layer with parameters in front of one; none where it is inside another. */
function weightsInFront({ layers }: Network, name: string): string | undefined {
  const index = layers.findLastIndex(({ site }) => site.name === name);
  const before = layers.slice(0, Math.max(0, index));
  return before.findLast(({ parameters }) => parameters.length > 0)?.site.name;
}

async function readLayer(player: Player, network: Network, layer: Watched): Promise<LayerReading> {
  const { name, spikes, membranes, probe, weights } = layer;
  const [steps = 1, rows = 1] = spikes.shape;
  // Spikes are packed, membranes and gradients f32; all belong to the player.
  const words = (await player.read(spikes)) as Uint32Array;
  const { histogram: _, ...activity } = layerActivity(name, countsOf(words, spikes), steps * rows);
  const kept = membranes && ((await player.read(membranes)) as Float32Array);
  const reading = kept && readMembranes(kept, neuronSettings(network, name));
  const gradient = probe?.gradient();
  const gradients = gradient && stepNorms(await player.read(gradient), gradient.shape[0] ?? 1);
  return { ...activity, weights, membranes: reading, gradients };
}

/** Spikes of each neuron over all rows and steps. */
function countsOf(words: Uint32Array, { shape }: Tensor): Uint32Array {
  const width = shape.at(-1) ?? 1;
  const perRow = wordsPerRow(width);
  const counts = new Uint32Array(width);
  for (let first = 0; first < words.length; first += perRow) {
    for (let neuron = 0; neuron < width; neuron++) {
      const word = words[first + (neuron >>> 5)] ?? 0;
      counts[neuron] = (counts[neuron] ?? 0) + ((word >>> (neuron & 31)) & 1);
    }
  }
  return counts;
}

interface Blocks {
  readonly values: Float32Array;
  readonly gradients: Float32Array;
}

function notFinite({ layout }: Network, { values, gradients }: Blocks): string | undefined {
  const isSick = (block: Float32Array) => (name: string) =>
    !parameterValues(layout.get(name), block).every((value) => Number.isFinite(value));
  const names = layout.parameters.map(({ spec }) => spec.name);
  return names.find(isSick(values)) ?? names.find(isSick(gradients));
}

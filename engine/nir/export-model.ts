import { type StoredModel } from '../checkpoint/checkpoint.ts';
import { modelOf } from '../models/stored-model.ts';
import { EngineError } from '../errors.ts';
import { audioStructureFromSpec } from '../models/spiking-audio/family.ts';
import {
  placeBlocks,
  type SpikingConvStructure,
  windowOf,
} from '../models/spiking-conv/structure.ts';
import { visionStructureFromSpec } from '../models/spiking-vision/family.ts';
import type { Image } from '../ops/window.ts';
import {
  affine,
  GraphBuilder,
  lifNode,
  linear,
  nirOfSpikingMlp,
  type Parameters,
  tensorOf,
  valuesOf,
} from './graph-builder.ts';
import type { NirGraph } from './graph.ts';

/** A model as a graph, and how to run it to reproduce the model's output. */
export interface NirExport {
  readonly graph: NirGraph;
  /** Time steps of one example. */
  readonly steps: number;
  /** Meaning of its Input and its Outputs, in prose. */
  readonly reading: string;
}

/** The operations of families that NIR has no node for. */
const LACKING: Readonly<Record<string, string>> = {
  dense_chronospike: 'causal attention over spikes and token shift',
  sparse_event_memory: 'top-k routing of tokens to experts',
  standard_transformer: 'softmax attention, layer norm and GELU',
  spiking_multimodal: 'causal attention over spikes',
  memoried_spikenetlm: 'top-k routing of tokens to experts',
};

/**
 * A stored model as a graph whose neurons are reset with a delay, `dt` being the length of a step. Throws
 * EngineError `checkpoint-mismatch` that names the operation that NIR has no node for.
 */
export function nirOfModel(stored: StoredModel, dt: number): NirExport {
  const { architecture } = stored.spec;
  if (architecture === 'spiking_audio') return ofAudio(stored, dt);
  if (architecture === 'spiking_vision') return ofVision(stored, dt);
  throw lacking(architecture, LACKING[architecture] ?? 'its network');
}

function ofVision(stored: StoredModel, dt: number): NirExport {
  const { spec, layout, values } = modelOf(stored, 'spiking_vision');
  const { variant, network } = visionStructureFromSpec(spec);
  const given = 'pixels from 0 to 1, channel by channel, held in every step';
  if (variant === 'conv') {
    const graph = nirOfSpikingConv(network, { layout, values, dt });
    const reading = `${given}; the mean of output over the steps scores the classes`;
    return { graph, steps: network.steps, reading };
  }
  const graph = withMembranes(nirOfSpikingMlp(network, layout, values, dt), {
    ...network,
    name: 'output',
    dt,
  });
  const reading = `${given}; the mean of membrane over the steps scores the classes`;
  return { graph, steps: network.steps, reading };
}

/** Adds an Output of the membranes of neurons whose spikes are the Output so far. */
function withMembranes(
  { nodes, edges, ...graph }: NirGraph,
  { name, classes, beta, threshold, dt }: Membranes,
): NirGraph {
  const builder = new GraphBuilder(nodes, edges);
  const shape = [classes];
  // A leak without spikes, from which the threshold is subtracted one step after the neuron fired.
  builder.add('spikes_before', { type: 'Delay', delay: tensorOf(shape, dt) }, `${name}_neurons`);
  builder.add('reset', { type: 'Scale', scale: tensorOf(shape, -threshold) });
  const tau = dt / (1 - beta);
  builder.add(
    'membranes',
    beta === 1
      ? { type: 'I', r: tensorOf(shape, 1) }
      : {
          type: 'LI',
          tau: tensorOf(shape, tau),
          r: tensorOf(shape, tau / dt),
          v_leak: tensorOf(shape, 0),
        },
  );
  builder.join(`${name}_weight`, 'membranes');
  builder.add('membrane', { type: 'Output', shape }, 'membranes');
  return { ...graph, ...builder.graph() };
}

interface Membranes {
  readonly name: string;
  readonly classes: number;
  readonly beta: number;
  readonly threshold: number;
  readonly dt: number;
}

/**
 * A spiking convolutional classifier as a graph; its Output is the current of the output neurons. Throws
 * EngineError `checkpoint-mismatch` for one with layer norm.
 */
function nirOfSpikingConv(structure: SpikingConvStructure, parameters: Parameters): NirGraph {
  const { image, hidden, classes, norm, neuron } = structure;
  if (norm === 'layer') {
    throw lacking(
      'this spiking convolutional classifier',
      'layer norm, which model_variant conv_plain does without',
    );
  }
  const { dt } = parameters;
  const blocks = placeBlocks(structure);
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: shapeOf(image) });
  for (const { name, block, input, fired } of blocks) {
    const node = name.replace('.', '_');
    const { stride, padding } = windowOf(block);
    builder.add(`${node}_weight`, {
      type: 'Conv2d',
      input_shape: [input.height, input.width],
      weight: {
        shape: [block.channels, input.channels, block.kernel, block.kernel],
        data: valuesOf(parameters, `${name}.weight`),
      },
      stride: [stride, stride],
      padding: [padding, padding],
      dilation: [1, 1],
      groups: 1,
      bias: { shape: [block.channels], data: valuesOf(parameters, `${name}.bias`) },
    });
    builder.add(`${node}_neurons`, lifNode(node, shapeOf(fired), { ...neuron, dt }));
    if (block.pool > 1) {
      const side = [block.pool, block.pool] as const;
      builder.add(`${node}_pool`, {
        type: 'AvgPool2d',
        kernel_size: side,
        stride: side,
        padding: [0, 0],
      });
    }
  }
  const last = blocks.at(-1)?.pooled ?? image;
  const features = last.channels * last.height * last.width;
  builder.add('flat', { type: 'Flatten', input_type: shapeOf(last), start_dim: 0, end_dim: -1 });
  builder.add('hidden_weight', affine('hidden', [features, hidden], parameters));
  builder.add('hidden_neurons', lifNode('hidden', [hidden], { ...neuron, dt }));
  builder.add('output_weight', affine('output', [hidden, classes], parameters));
  builder.add('output', { type: 'Output', shape: [classes] });
  return builder.graph(dt);
}

function ofAudio(stored: StoredModel, dt: number): NirExport {
  const { spec, layout, values } = modelOf(stored, 'spiking_audio');
  const { frames, features, hidden, classes, steps, beta, threshold } =
    audioStructureFromSpec(spec);
  const parameters = { layout, values, dt };
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: [features] });
  builder.add('hidden_weight', affine('hidden', [features, hidden], parameters));
  builder.add('hidden_neurons', lifNode('hidden', [hidden], { beta, threshold, dt }));
  builder.add('recurrent_weight', linear('recurrent', [hidden, hidden], parameters));
  builder.join('recurrent_weight', 'hidden_neurons');
  builder.add('output_weight', affine('output', [hidden, classes], parameters), 'hidden_neurons');
  builder.add('output', { type: 'Output', shape: [classes] });
  const held = steps === 1 ? 'a frame' : `a frame for ${steps} steps`;
  const reading =
    `features of ${held}, one after the other, as model_spec.json says they are heard; ` +
    'the mean of output over the steps scores the classes';
  return { graph: builder.graph(dt), steps: frames * steps, reading };
}

const shapeOf = ({ channels, height, width }: Image) => [channels, height, width];

function lacking(what: string, operation: string): EngineError {
  return new EngineError(
    'checkpoint-mismatch',
    `NIR has no node for ${operation}: ${what} cannot be exported`,
  );
}

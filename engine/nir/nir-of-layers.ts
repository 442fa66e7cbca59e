import { EngineError } from '../errors.ts';
import { parameterValues } from '../graph/parameters.ts';
import type { Model } from '../layers/model.ts';
import type { NamedLayer } from '../layers/place-layers.ts';
import { parseNeuron } from '../neurons/equations.ts';
import { nodeOfNeuron } from './export-neuron.ts';
import type { NirGraph, NirNode } from './graph.ts';
import { affine, GraphBuilder, linear, type Parameters } from './graph-builder.ts';
import { type LinearNeuron, linearNeuron } from './linear-neuron.ts';
import type { ResetRule } from './neurons.ts';
import { sizeOf } from './shapes.ts';

type Exported = Pick<Model, 'network' | 'values'>;
type Options = Readonly<Record<string, unknown>>;

/**
 * A model of the layer floor as a graph, `dt` being the length of a step. Its Output is what the last layer gives;
 * dropout is left out. Neurons are reset with a delay unless the metadata say otherwise. Throws EngineError
 * `checkpoint-mismatch` that names the layer that NIR has no node for.
 */
export function toNir(model: Exported, { dt }: { readonly dt: number }): NirGraph {
  if (!(dt > 0 && Number.isFinite(dt))) {
    throw new EngineError('invalid-setting', `NIR: dt is ${dt}: expected a positive number`);
  }
  const { network, values } = model;
  const parameters = { layout: network.layout, values, dt };
  const { layers } = network.toJSON();
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: network.input });
  const resets = new Map<ResetRule, string>();
  for (const [index, layer] of network.layers.entries()) {
    const reset = addLayer(builder, { layer, options: layers[index] as Options, parameters });
    if (reset) resets.set(reset, layer.site.title);
  }
  const [[reset] = ['delayed' as const], other] = resets;
  if (other) {
    throw lacking(other[1], `neurons that are reset otherwise than others (${other[0]}, ${reset})`);
  }
  builder.add('output', { type: 'Output', shape: network.output });
  return builder.graph(dt, reset);
}

interface Given {
  readonly layer: NamedLayer;
  readonly options: Options;
  readonly parameters: Parameters;
}

/** Adds the nodes of a layer; returns how its neurons are reset. */
function addLayer(builder: GraphBuilder, given: Given): ResetRule | undefined {
  const { layer, options, parameters } = given;
  const { name, title } = layer.site;
  if (layer.kind === 'dropout') return undefined;
  const make = NODES[layer.kind];
  if (make) {
    builder.add(name, make(given));
    return undefined;
  }
  const neuron = neuronOfLayer(given);
  const shape = layer.output;
  builder.add(
    name,
    atLayer(title, () => nodeOfNeuron(neuron, { dt: parameters.dt, shape })),
  );
  if (layer.kind === 'recurrentLif' || options['recurrent'] === true) {
    const neurons = sizeOf(shape);
    if (layer.parameters.some((one) => one.name === `${name}.bias`)) {
      throw lacking(title, 'numbers added within a loop: take bias: false');
    }
    builder.put(`${name}_recurrent`, linear(name, [neurons, neurons], parameters));
    builder.join(name, `${name}_recurrent`);
    builder.join(`${name}_recurrent`, name);
  }
  return neuron.reset;
}

/** Nodes of layers without neurons. */
const NODES: Readonly<Record<string, (given: Given) => NirNode>> = {
  linear({ layer, options, parameters }) {
    const make = options['bias'] === false ? linear : affine;
    return make(layer.site.name, [sizeOf(layer.input), sizeOf(layer.output)], parameters);
  },
  flatten: ({ layer }) => ({
    type: 'Flatten',
    input_type: layer.input,
    start_dim: 0,
    end_dim: -1,
  }),
  averagePool: ({ options }) => ({ type: 'AvgPool2d', ...poolOf(options) }),
  sumPool: ({ options }) => ({ type: 'SumPool2d', ...poolOf(options) }),
  conv1d: (given) => {
    const { weight, bias } = kernelOf(given);
    const [channels = 0, depth = 0, , length = 0] = weight.shape;
    const { stride = 1, padding = 0, dilation = 1, groups = 1 } = given.options as Conv1dOptions;
    return {
      type: 'Conv1d',
      input_shape: given.layer.input[1] ?? 0,
      weight: { shape: [channels, depth, length], data: weight.data },
      stride,
      padding,
      dilation,
      groups,
      bias,
    };
  },
  conv2d: (given) => imageKernel(given, Number(given.options['groups'] ?? 1)),
  depthwiseConv2d: (given) => imageKernel(given, given.layer.input[0] ?? 1),
};

/** As `conv1d` has checked them. */
interface Conv1dOptions {
  readonly stride?: number;
  readonly padding?: number | 'same' | 'valid';
  readonly dilation?: number;
  readonly groups?: number;
}

function poolOf({ kernel, stride = kernel, padding = 0 }: Options) {
  return { kernel_size: pairOf(kernel), stride: pairOf(stride), padding: pairOf(padding) };
}

function imageKernel(given: Given, groups: number): NirNode {
  const { stride = 1, padding = 0, dilation = 1 } = given.options;
  const [, height = 0, width = 0] = given.layer.input;
  return {
    type: 'Conv2d',
    input_shape: [height, width],
    ...kernelOf(given),
    stride: pairOf(stride),
    padding: padding === 'same' || padding === 'valid' ? padding : pairOf(padding),
    dilation: pairOf(dilation),
    groups,
  };
}

/** Weight `[channels, channels in front / groups, height, width]` and bias, which NIR always has. */
function kernelOf({ layer, parameters: { layout, values } }: Given) {
  const parts = layer.parameters.map(({ name, shape }) => ({
    shape,
    data: parameterValues(layout.get(name), values).slice(),
  }));
  const [weight = { shape: [], data: new Float32Array() }, bias] = parts;
  const [channels = 0] = layer.output;
  return { weight, bias: bias ?? { shape: [channels], data: new Float32Array(channels) } };
}

/** The neurons of a layer, if NIR has them. */
function neuronOfLayer({ layer, options, parameters }: Given): LinearNeuron {
  const { title, name } = layer.site;
  const number = (option: string, otherwise: number) => Number(options[option] ?? otherwise);
  const [beta, threshold] = [number('beta', 0.9), number('threshold', 1)];
  const plain = { decay: beta, gain: 1, threshold, reset: 'delayed', amount: threshold } as const;
  switch (layer.kind) {
    case 'lif':
      return options['reset'] === 'zero' ? { ...plain, reset: 'value', amount: 0 } : plain;
    case 'recurrentLif':
      return plain;
    case 'currentLif':
      return { ...plain, synapse: { decay: number('alpha', 0.8), weight: 1 } };
    case 'plif': {
      const learned = parameterValues(parameters.layout.get(`${name}.beta`), parameters.values);
      if (learned.length > 1) throw lacking(title, 'a beta of each neuron: take per: "layer"');
      return { ...plain, decay: 1 / (1 + Math.exp(-(learned[0] ?? 0))) };
    }
    case 'neuron': {
      const written = parseNeuron(String(options['equations']));
      if (written.learned[0])
        throw lacking(title, `the learned parameter ${written.learned[0].name}`);
      return atLayer(title, () => linearNeuron(written, written.dt));
    }
    default:
      throw lacking(title, 'it');
  }
}

function pairOf(value: unknown): readonly [number, number] {
  const [height, width] = Array.isArray(value) ? value : [value, value];
  return [Number(height), Number(width)];
}

/** Has what NIR lacks begin with the layer that it says it of. */
function atLayer<T>(title: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `${title}: ${error.message}`, { cause: error });
  }
}

const lacking = (title: string, what: string): EngineError =>
  new EngineError(
    'checkpoint-mismatch',
    `${title} cannot be exported: NIR has no node for ${what}`,
  );

import type { Graph } from '../graph/graph.ts';
import type { ParameterSpec } from '../graph/parameters.ts';
import type { Tensor } from '../graph/tensor.ts';
import { type Activation, ACTIVATIONS } from '../kernels/dense.ts';
import { activation as applyActivation } from '../ops/activation.ts';
import { linear as product, spikeLinear } from '../ops/linear.ts';
import { spikeValues } from '../ops/time-readouts.ts';
import { featuresOf, type Layer, type Shape, type Site } from './layer.ts';
import { choiceOf, countOf, givenOptions, switchOf, wrongShape } from './options.ts';

/** Of every layer: a name in place of its index, for messages, parameters and records. */
export interface Named {
  readonly name?: string;
}

interface LinearOptions extends Named {
  /** Numbers added to every output; true by default. */
  readonly bias?: boolean;
}

/**
 * A product with learned weights: `outputs` numbers from the features in front. Fed by spikes it adds up the
 * weights of those that fire. Weights `[inputs, outputs]` and biases begin uniform within `inputs^-0.5`, as
 * those of PyTorch. Throws EngineError `invalid-setting`.
 */
export function linear(outputs: number, options: LinearOptions = {}): Layer {
  return linearOf({ ...options, outputs });
}

export function linearOf(options: LinearOptions & { readonly outputs: number }): Layer {
  const given = givenOptions('linear', options, ['outputs', 'bias', 'name']);
  const outputs = countOf('linear', 'outputs', options.outputs);
  const hasBias = switchOf('linear', 'bias', options.bias ?? true);
  return {
    kind: 'linear',
    options: given,
    place(input, site) {
      const inputs = flatFeatures(input, site);
      const [weight, bias] = [`${site.name}.weight`, `${site.name}.bias`];
      return {
        output: [outputs],
        parameters: weightSpecs(site, { shape: [inputs, outputs], inputs, outputs, hasBias }),
        inSegments: true,
        forward({ graph }, from) {
          const op = from.dtype === 'bits' ? spikeLinear : product;
          const epilogue = hasBias ? { bias: graph.parameter(bias) } : {};
          return op(graph, from, graph.parameter(weight), epilogue);
        },
      };
    },
  };
}

interface Weights {
  readonly shape: readonly number[];
  /** Numbers that one output is a sum of. */
  readonly inputs: number;
  readonly outputs: number;
  readonly hasBias: boolean;
}

/** A weight, and a bias for each output, that begin as those of PyTorch. */
export function weightSpecs({ name }: Site, { shape, inputs, outputs, hasBias }: Weights) {
  const initial = { kind: 'uniform', bound: inputs ** -0.5 } as const;
  const weight: ParameterSpec = { name: `${name}.weight`, shape, initial, decayed: true };
  const bias: ParameterSpec = { name: `${name}.bias`, shape: [outputs], initial, decayed: false };
  return hasBias ? [weight, bias] : [weight];
}

export function flatFeatures(input: Shape, site: Site): number {
  const [features] = input;
  if (input.length === 1 && features !== undefined) return features;
  throw wrongShape(site, input, 'one axis, [features]: put flatten() in front of it');
}

/** An image or a sequence as one axis of features. */
export function flatten(options: Named = {}): Layer {
  return {
    kind: 'flatten',
    options: givenOptions('flatten', options, ['name']),
    place: (input) => ({
      output: [featuresOf(input)],
      parameters: [],
      inSegments: true,
      // Whatever a shape, its numbers lie flat.
      forward: (_pass, from) => from,
    }),
  };
}

/** A function of each number: `relu`, `gelu`, `sigmoid`, `softplus` or `log`. */
export function activation(name: Activation, options: Named = {}): Layer {
  return activationOf({ ...options, function: name });
}

export function activationOf(options: Named & { readonly function: Activation }): Layer {
  const given = givenOptions('activation', options, ['function', 'name']);
  const name = choiceOf('activation', 'function', options.function, ACTIVATIONS);
  return {
    kind: 'activation',
    options: given,
    place: (input) => ({
      output: input,
      parameters: [],
      inSegments: true,
      forward: ({ graph }, from) => applyActivation(graph, asNumbers(graph, from), name),
    }),
  };
}

/** Spikes as the numbers 0 and 1, with a gradient; numbers as they are. */
export function asNumbers(graph: Graph, input: Tensor): Tensor {
  return input.dtype === 'bits' ? spikeValues(graph, input) : input;
}

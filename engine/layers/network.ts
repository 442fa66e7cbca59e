import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { LayerSpikes, LossOutputs } from '../losses/loss.ts';
import { featuresOf, type Layer, type Pass, type Shape } from './layer.ts';
import { countOf, givenOptions, refused, stepsOf } from './options.ts';
import { type NamedLayer, placeLayers } from './place-layers.ts';

/** A network as JSON: layers by their kind and options. */
export interface NetworkJson {
  readonly input: Shape;
  readonly steps: number;
  readonly layers: readonly unknown[];
}

/** A network as a value: pure description, checked. It becomes a model by `init`. */
export interface Network {
  /** Features of an example in one time step, such as `[784]` or `[1, 28, 28]`. */
  readonly input: Shape;
  readonly output: Shape;
  /** Time steps T for which it runs. */
  readonly steps: number;
  readonly layers: readonly NamedLayer[];
  /** Its parameters, in one block. */
  readonly layout: ParameterLayout;
  /** The same layers, with the same parameters, over another number of steps. */
  withSteps(steps: number): Network;
  toJSON(): NetworkJson;
}

interface NetworkOptions {
  /** Features of an example in one time step: their number, or a shape such as `[1, 28, 28]`. */
  readonly input: number | Shape;
  /** Time steps T for which the network runs; 1 by default. Gradients of most neurons go back through 1000. */
  readonly steps?: number;
}

const MAX_AXES = 3;

/**
 * Layers one behind the other, each of which checks the shape in front of it. Throws EngineError that names the
 * layer by its index, the given shape and the expected one.
 */
export function sequential(layers: readonly Layer[], options: NetworkOptions): Network {
  const kind = 'sequential';
  if (!Array.isArray(layers) || layers.length === 0) {
    throw refused(kind, 'there are no layers: expected an array of at least one');
  }
  givenOptions(kind, options, ['input', 'steps']);
  const steps = stepsOf(kind, options.steps ?? 1);
  const input = inputShape(options.input);
  const { placed, output } = placeLayers(layers, { input, steps });
  return {
    input,
    output,
    steps,
    layers: placed,
    layout: layOutParameters(placed.flatMap(({ parameters }) => parameters)),
    withSteps: (other) => sequential(layers, { input, steps: other }),
    toJSON: () => ({ input, steps, layers: layers.map(layerJson) }),
  };
}

function inputShape(input: unknown): Shape {
  const axes = Array.isArray(input) ? input : [input];
  if (axes.length > MAX_AXES || axes.length === 0) {
    throw refused(
      'sequential',
      `input has ${axes.length} axes: expected 1 to ${MAX_AXES}, without batch and time`,
    );
  }
  const shape = axes.map((axis) => countOf('sequential', 'input', axis));
  countOf('sequential', 'input', featuresOf(shape));
  return shape;
}

function layerJson({ kind, options }: Layer): Readonly<Record<string, unknown>> {
  const plain = Object.entries(options).map(([name, value]) => [
    name,
    name === 'layers' ? (value as readonly Layer[]).map(layerJson) : value,
  ]);
  return { kind, ...Object.fromEntries(plain) };
}

/**
 * Records a network on an input `[T or 1, rows, features]`. The last layer is recorded when a loss or a readout
 * first asks for its spikes, its membranes or its numbers.
 */
export function outputsOf(network: Network, pass: Pass, input: Tensor): LossOutputs {
  const layers: LayerSpikes[] = [];
  const watched: Pass = {
    ...pass,
    watch(fired) {
      layers.push(fired);
      pass.watch?.(fired);
    },
  };
  const last = network.layers.at(-1) as NamedLayer;
  const before = network.layers
    .slice(0, -1)
    .reduce((tensor, layer) => layer.forward(watched, tensor), input);
  const output = once(() => last.forward(watched, before));
  const membranes = once(() => last.membranes?.(watched, before));
  return {
    name: last.site.title,
    get spikes() {
      return output().dtype === 'bits' ? output() : undefined;
    },
    get membranes() {
      return membranes();
    },
    get values() {
      return output().dtype === 'bits' ? undefined : output();
    },
    get layers() {
      output();
      return layers;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

import type { Graph } from '../graph/graph.ts';
import type { ParameterSpec } from '../graph/parameters.ts';
import type { Tensor } from '../graph/tensor.ts';

/** Features of one example in one time step: `[features]`, `[channels, length]` or `[channels, height, width]`. */
export type Shape = readonly number[];

/** Options of a layer: plain values, so that a network is JSON. */
export type LayerOptions = Readonly<Record<string, unknown>>;

/**
 * A layer as a description: it knows what it was made with, and what it becomes behind a shape. It holds no
 * numbers and no device; one description may stand in several networks.
 */
export interface Layer {
  /** The name of the function that made it, such as `linear`. */
  readonly kind: string;
  /** Without those that were left out. */
  readonly options: LayerOptions;
  /** Checks the shape in front of it. Throws EngineError that names the layer, and both shapes. */
  place(input: Shape, site: Site): PlacedLayer;
}

/** Where a layer stands in its network. */
export interface Site {
  /** In front of the names of its parameters: its option `name`, or its index, such as `2` or `3.0`. */
  readonly name: string;
  /** For messages: `layer 2 (conv2d)`. */
  readonly title: string;
  /** Time steps T of the network. */
  readonly steps: number;
}

/** A layer behind a shape. */
export interface PlacedLayer {
  readonly output: Shape;
  /** Under names that begin with that of the site. */
  readonly parameters: readonly ParameterSpec[];
  /**
   * Whether its steps can be run in segments: each is computed by itself, or goes on from states that ops on neurons
   * carry. False where it is left out.
   */
  readonly inSegments?: boolean;
  /**
   * Records the layer for one batch: numbers or spikes `[T, rows, features]` from the same, or from
   * `[1, rows, features]`, which stands for every step alike. Shapes such as images lie flat.
   */
  forward(pass: Pass, input: Tensor): Tensor;
  /** Of neurons: their membranes in place of the spikes, `[T, rows, features]`, with a gradient. */
  membranes?(pass: Pass, input: Tensor): Tensor;
}

/** One use of a network: in training, to predict, or to look inside. */
export interface Pass {
  readonly graph: Graph;
  readonly isTraining: boolean;
  /** As `clockInput`: the counter of random draws; left out where nothing is drawn. */
  readonly clock?: Tensor;
  /** Called with every layer of neurons, in their order. */
  readonly watch?: (fired: Fired) => void;
}

/** Neurons of one layer while a network is recorded. */
interface Fired {
  /** The name of the layer's site. */
  readonly name: string;
  readonly shape: Shape;
  /** `bits[T, rows, features]` */
  readonly spikes: Tensor;
  /** Records the membranes, `[T, rows, features]`, kept after the play; absent where a kernel keeps none. */
  keepMembranes?(name: string): Tensor;
}

/** Numbers of a shape. */
export const featuresOf = (shape: Shape): number =>
  shape.reduce((product, axis) => product * axis, 1);

export const shapeText = (shape: Shape): string => `[${shape.join(', ')}]`;

import { type DeviceChoice, parseDevice } from '../backends/device-choice.ts';
import { openBackend } from '../backends/open-backend.ts';
import type { Backend, DeviceDescription } from '../graph/backend.ts';
import { type ParameterLayout, parameterValues } from '../graph/parameters.ts';
import { WORD_BYTES } from '../graph/tensor.ts';
import type { OutputKind } from '../losses/outputs.ts';
import { initialValues } from '../train/initial-values.ts';
import type { Picture } from './canvas-inputs.ts';
import type { Inputs } from './example-inputs.ts';
import { type Inspection, inspectModel } from './inspect.ts';
import { type ModelFile, modelFile } from './model-file.ts';
import type { Network } from './network.ts';
import { givenOptions, seedOf } from './options.ts';
import { closeObservations, type Observation, observeNetwork } from './observe.ts';
import { closePredictions, type Prediction, predictWith } from './predict.ts';
import { decodeNetwork, encodeNetwork } from './saved-network.ts';

/** How `predict` reads its input and the last layer. */
export interface PredictOptions {
  /** Examples in `x`; needed where numbers are given over time. */
  readonly count?: number;
  /** Numbers of the last layer that are the scores; spike counts, or numbers where there are no neurons, by default. */
  readonly on?: OutputKind;
}

/** A network with parameters on a device. */
export interface Model {
  readonly network: Network;
  /** That of the network: where each parameter lies. */
  readonly layout: ParameterLayout;
  readonly backend: Backend;
  readonly device: DeviceDescription;
  /** All parameters in one block, as `layout` says; `fit` overwrites it. */
  readonly values: Float32Array;
  /** The values of one parameter, such as `0.weight`: a view of the block. Throws EngineError `invalid-structure`. */
  parameter(name: string): Float32Array;
  /**
   * Scores `[N, outputs]`, and for each example the class whose score is largest. A canvas or an `ImageData` of any
   * size is one example: white is 1, black and nothing 0.
   */
  predict(x: Inputs | Picture, options?: PredictOptions): Promise<Prediction>;
  /** Spikes, membranes and rates of every layer of neurons, for a few examples. */
  observe(x: Inputs | Picture, options?: Pick<PredictOptions, 'count'>): Promise<Observation>;
  /** Parameters, memory, operations and the memory plan of a batch of `batchSize` examples. */
  inspect(options?: { readonly batchSize?: number }): Inspection;
  /** The network and its parameters as one safetensors file, which `load` reads. */
  save(): Uint8Array<ArrayBuffer>;
  /** Gives the device back where the model opened it. */
  close(): void;
}

/** Where a model lives and what its first parameters are drawn from. */
export interface InitOptions {
  /**
   * `auto` (default): a GPU where there is one, else WASM; `webgpu`, `wasm`, `reference` (float64, slow, for
   * tests), or a backend that is open, which stays so.
   */
  readonly device?: DeviceChoice | Backend;
  /** Of the first parameters; 0 by default. */
  readonly seed?: number;
}

/** Opens a device and draws the first parameters of a network. Throws EngineError as `openBackend`. */
export async function init(network: Network, options: InitOptions = {}): Promise<Model> {
  givenOptions('init', options, ['device', 'seed']);
  const { device = 'auto', seed = 0 } = options;
  seedOf(seed);
  const values = new Float32Array(network.layout.blockBytes / WORD_BYTES);
  for (const parameter of network.layout.parameters) {
    values.set(initialValues(parameter, seed), parameter.offsetBytes / WORD_BYTES);
  }
  return modelOn(network, values, device);
}

interface LoadOptions extends Pick<InitOptions, 'device'> {
  /** Bytes that are fetched at most; 2 GiB by default. */
  readonly maxBytes?: number;
}

/**
 * Opens what `save` wrote, from its bytes or from where it can be fetched. Throws EngineError
 * `checkpoint-missing`, `checkpoint-mismatch` or `checkpoint-damaged`.
 */
export async function load(
  source: ModelFile,
  { device = 'auto', maxBytes }: LoadOptions = {},
): Promise<Model> {
  const { bytes, name } = await modelFile(source, maxBytes);
  const { network, values } = decodeNetwork(bytes, name);
  return modelOn(network, values, device);
}

async function modelOn(
  network: Network,
  values: Float32Array,
  device: DeviceChoice | Backend,
): Promise<Model> {
  const isOpen = typeof device === 'object';
  const backend = isOpen ? device : await openChosen(device);
  const target = { network, backend, values };
  return {
    ...target,
    layout: network.layout,
    device: backend.device,
    parameter: (name) => parameterValues(network.layout.get(name), values),
    predict: async (x, options = {}) => predictWith(target, await arraysOf(x, network), options),
    observe: async (x, { count } = {}) => observeNetwork(target, await arraysOf(x, network), count),
    inspect: ({ batchSize = 1 } = {}) => inspectModel(network, batchSize),
    save: () => encodeNetwork(network, values),
    close() {
      closePredictions(target);
      closeObservations(target);
      if (!isOpen) backend.close();
    },
  };
}

/** Pictures are read by a module of their own, which a page that has none does not fetch. */
async function arraysOf(x: Inputs | Picture, { input }: Network): Promise<Inputs> {
  if (!isPicture(x)) return x;
  const { inputsOfPicture } = await import('./canvas-inputs.ts');
  return inputsOfPicture(x, input);
}

const isPicture = (x: Inputs | Picture): x is Picture =>
  typeof x === 'object' && x !== null && 'width' in x && 'height' in x;

const openChosen = (device: DeviceChoice): Promise<Backend> =>
  openBackend(parseDevice(device), { gpu: globalThis.navigator?.gpu });

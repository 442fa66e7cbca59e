import { EngineError } from '../errors.ts';
import { activationOf, flatten, linearOf } from './dense.ts';
import {
  averagePoolOf,
  conv1dOf,
  conv2dOf,
  depthwiseConv2dOf,
  maxPoolOf,
  sumPoolOf,
} from './images.ts';
import { delayedLinearOf, delaysOf } from './delays.ts';
import type { Layer } from './layer.ts';
import { lif, recurrentLif } from './lif.ts';
import { type Network, type NetworkJson, sequential } from './network.ts';
import { neuronOf } from './neurons.ts';
import { dropoutOf, layerNorm, residualOf, rmsNorm } from './shaping.ts';
import { adlif, alif, currentLif, plif } from './written-neurons.ts';

/** Every kind of layer, made from its options; these check what they are given. */
const KINDS: ReadonlyMap<string, (options: never) => Layer> = new Map(
  Object.entries({
    activation: activationOf,
    adlif,
    alif,
    averagePool: averagePoolOf,
    conv1d: conv1dOf,
    conv2d: conv2dOf,
    currentLif,
    delayedLinear: delayedLinearOf,
    delays: delaysOf,
    depthwiseConv2d: depthwiseConv2dOf,
    dropout: dropoutOf,
    flatten,
    layerNorm,
    lif,
    linear: linearOf,
    maxPool: maxPoolOf,
    neuron: neuronOf,
    plif,
    recurrentLif,
    residual: residualOf,
    rmsNorm,
    sumPool: sumPoolOf,
  }),
);

const MAX_LAYERS = 1000;
const MAX_DEPTH = 16;

/** A network from its JSON. Throws EngineError that names what is no layer, or no option of one. */
export function networkFrom(json: unknown): Network {
  const { layers, input, steps } = recordOf(json, 'the network') as Partial<NetworkJson>;
  if (!Array.isArray(layers)) throw damaged('the network has no layers: expected an array');
  const left = { layers: MAX_LAYERS };
  return sequential(layersFrom(layers, left, 0), {
    input: input as NetworkJson['input'],
    ...(steps !== undefined && { steps }),
  });
}

function layersFrom(layers: readonly unknown[], left: { layers: number }, depth: number): Layer[] {
  left.layers -= layers.length;
  if (left.layers < 0) throw damaged(`there are more than ${MAX_LAYERS} layers`);
  if (depth > MAX_DEPTH) throw damaged(`layers lie more than ${MAX_DEPTH} deep in others`);
  return layers.map((one, index) => {
    const { kind, ...options } = recordOf(one, `layer ${index}`);
    const make = typeof kind === 'string' ? KINDS.get(kind) : undefined;
    if (!make) {
      throw damaged(
        `layer ${index} is of the kind ${JSON.stringify(kind)}: expected ${[...KINDS.keys()].join(', ')}`,
      );
    }
    const inner = options['layers'];
    const all = Array.isArray(inner)
      ? { ...options, layers: layersFrom(inner, left, depth + 1) }
      : options;
    // Each kind checks the options that it is given.
    return make(all as never);
  });
}

function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw damaged(`${name} is ${JSON.stringify(value)}: expected an object`);
}

const damaged = (what: string): EngineError => new EngineError('checkpoint-damaged', what);

import { EngineError } from '../errors.ts';
import { BasePlugin } from './base-plugin.ts';
import type { PluginArray, PluginValues, Ports } from './ports.ts';

/** A layer of neurons on a device, in steps of 1 ms. */
export interface NeuronLayer {
  readonly numNeurons: number;
  /** Membrane time constant in milliseconds. */
  readonly tau: number;
  readonly threshold: number;
  /** Continues from the last run: spikes `[T, N]` for a current `[T, N]`. */
  run(current: PluginArray): Promise<PluginArray>;
  /** Back to the state before the first step. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Beyond this the states alone would take gigabytes. */
const MAX_NEURONS = 2 ** 24;
export const DEFAULT_THRESHOLD = 1;

/** Ports of every neuron plugin. */
export const neuronPorts = {
  inputs: {
    current: {
      kind: 'array',
      axes: ['T', 'N'],
      description: 'Input current of each step and neuron',
    },
  },
  outputs: {
    spikes: {
      kind: 'array',
      axes: ['T', 'N'],
      values: 'spikes',
      description: '1 where a neuron fired',
    },
  },
} as const satisfies { readonly inputs: Ports; readonly outputs: Ports };

/** A factory of layers. */
export interface LayerSource {
  /**
   * @param tau membrane time constant in milliseconds, above 0
   * @param threshold of the membrane; the plugin's own where it is left out
   * @throws EngineError invalid-setting naming the value and what was expected
   */
  createLayer(numNeurons: number, tau: number, threshold?: number): Promise<NeuronLayer>;
}

/** Whether a plugin makes layers, as those of type NEURON have to. */
export const isLayerSource = (plugin: BasePlugin): plugin is BasePlugin & LayerSource =>
  'createLayer' in plugin && typeof plugin.createLayer === 'function';

/** A plugin of type NEURON: it makes layers; `execute` runs one that lives as long as the call. */
export abstract class NeuronPlugin extends BasePlugin implements LayerSource {
  abstract createLayer(numNeurons: number, tau: number, threshold?: number): Promise<NeuronLayer>;

  override async execute({ current }: PluginValues): Promise<PluginValues> {
    const { tau, threshold } = this.context.configuration;
    // The ports name its axes: the platform looked that it is an array of two.
    const given = current as PluginArray;
    const layer = await this.createLayer(
      given.shape[1] ?? 0,
      Number(tau ?? DEFAULT_TAU),
      threshold === undefined ? undefined : Number(threshold),
    );
    return { spikes: await runOnce(layer, given) };
  }
}

/** Runs a layer for one call and closes it. */
export async function runOnce(layer: NeuronLayer, current: PluginArray): Promise<PluginArray> {
  try {
    return await layer.run(current);
  } finally {
    await layer.close();
  }
}

const DEFAULT_TAU = 20;

/** @throws EngineError invalid-setting for an impossible layer */
export function checkLayer(numNeurons: number, tau: number, threshold: number): void {
  if (!Number.isInteger(numNeurons) || numNeurons < 1 || numNeurons > MAX_NEURONS) {
    throw wrong('numNeurons', numNeurons, `a whole number from 1 to ${MAX_NEURONS}`);
  }
  if (!Number.isFinite(tau) || tau <= 0) throw wrong('tau', tau, 'milliseconds above 0');
  if (!Number.isFinite(threshold)) throw wrong('threshold', threshold, 'a finite number');
}

/** @throws EngineError shape-mismatch or invalid-setting */
export function checkCurrent({ shape, data }: PluginArray, numNeurons: number): void {
  if (shape.length !== 2 || shape[1] !== numNeurons) {
    throw new EngineError(
      'shape-mismatch',
      `the current has the shape [${shape.join(', ')}], expected [T, ${numNeurons}]`,
    );
  }
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw wrong(`current[${bad}]`, data[bad], 'a finite number');
}

const wrong = (name: string, value: unknown, expected: string) =>
  new EngineError('invalid-setting', `${name} is ${String(value)}, expected ${expected}`);

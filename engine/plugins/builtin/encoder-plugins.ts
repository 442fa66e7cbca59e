import { type Code, type Codec, openCodec } from '../../encoders/codec.ts';
import { EngineError } from '../../errors.ts';
import { type ConfigurationSchema, settings } from '../configuration.ts';
import { metadata, type PluginMetadata } from '../metadata.ts';
import type { PluginArray, PluginValues, Ports } from '../ports.ts';
import { packSpikes, unpackSpikes } from '../spike-arrays.ts';
import { DevicePlugin } from './device-plugin.ts';

const steps = {
  type: 'integer',
  title: 'Time steps',
  default: 32,
  minimum: 1,
  maximum: 4096,
} as const;

const inputs: Ports = {
  values: {
    kind: 'array',
    axes: ['N'],
    optional: true,
    description: 'Numbers from 0 to 1 to encode',
  },
  spikes: {
    kind: 'array',
    axes: ['T', 'N'],
    values: 'spikes',
    optional: true,
    description: 'Spikes to decode, instead',
  },
};

const outputs: Ports = {
  spikes: {
    kind: 'array',
    axes: ['T', 'N'],
    values: 'spikes',
    optional: true,
    description: 'What the numbers became',
  },
  values: { kind: 'array', axes: ['N'], optional: true, description: 'What the spikes stand for' },
};

/** A code in both directions: numbers to spikes, or spikes to numbers. */
abstract class EncoderPlugin extends DevicePlugin<Codec> {
  readonly #metadata: PluginMetadata;
  #draw = 0;

  constructor(name: string, description: string, configuration: ConfigurationSchema) {
    super();
    this.#metadata = metadata({
      name,
      description,
      configuration,
      inputs,
      outputs,
      type: 'ENCODER',
      version: '1.0.0',
    });
  }

  getMetadata(): PluginMetadata {
    return this.#metadata;
  }

  protected abstract code(): Code;

  async execute({ values, spikes }: PluginValues): Promise<PluginValues> {
    if ((values === undefined) === (spikes === undefined)) {
      throw new EngineError('invalid-setting', 'expected either values or spikes');
    }
    // The ports say that they are arrays, of one axis and of two.
    if (spikes !== undefined) return this.#decode(spikes as PluginArray);
    const { data } = values as PluginArray;
    const count = Number(this.context.configuration['steps']);
    const codec = await this.#open(count, data.length);
    // The next numbers are drawn anew; the first draw is the same in every run.
    const bits = await codec.encode(data, this.#draw++);
    return { spikes: unpackSpikes(bits, count, data.length) };
  }

  async #decode(spikes: PluginArray): Promise<PluginValues> {
    const [count = 0, width = 0] = spikes.shape;
    const codec = await this.#open(count, width);
    return { values: { shape: [width], data: await codec.decode(packSpikes(spikes)) } };
  }

  #open(count: number, width: number): Promise<Codec> {
    return this.opened(`${count} steps of ${width}`, async () => {
      this.#draw = 0;
      const backend = await this.context.openBackend();
      return openCodec(backend, this.code(), { steps: count, rows: 1, width });
    });
  }
}

const rateSettings = settings({
  steps,
  seed: { type: 'integer', title: 'Seed', default: 1, minimum: 0, maximum: 2 ** 32 - 1 },
});

export class RateEncoderPlugin extends EncoderPlugin {
  constructor() {
    const description = 'Each step a spike with the probability of the number (Bernoulli, Philox).';
    super('RateEncoderPlugin', description, rateSettings);
  }

  protected code(): Code {
    return { kind: 'rate', seed: this.settings(rateSettings).seed };
  }
}

const latencySettings = settings({
  steps,
  curve: {
    type: 'string',
    title: 'Curve',
    description: 'logarithmic is t = tau ln(x / (x - theta)), linear t = (1 - x)(T - 1).',
    default: 'logarithmic',
    enum: ['logarithmic', 'linear'],
  },
  tau: { type: 'number', title: 'τ', unit: 'steps', default: 5, exclusiveMinimum: 0 },
  theta: {
    type: 'number',
    title: 'θ',
    description: 'Numbers up to it have no spike.',
    default: 0.01,
    exclusiveMinimum: 0,
    maximum: 1,
  },
});

export class LatencyEncoderPlugin extends EncoderPlugin {
  constructor() {
    const description = 'One spike or none, the earlier the larger the number.';
    super('LatencyEncoderPlugin', description, latencySettings);
  }

  protected code(): Code {
    const { curve, tau, theta } = this.settings(latencySettings);
    return curve === 'linear'
      ? { kind: 'latency', curve, theta }
      : { kind: 'latency', curve: 'logarithmic', tau, theta };
  }
}

const tasSettings = settings({
  steps,
  alpha: {
    type: 'number',
    title: 'α',
    description: 'What a spike adds to the threshold; 0 is sigma-delta coding.',
    default: 0.1,
    minimum: 0,
    maximum: 100,
  },
  rho: {
    type: 'number',
    title: 'ρ',
    description: 'What a step without a spike keeps of that.',
    default: 0.9,
    minimum: 0,
    maximum: 1,
  },
});

export class TASEncoderPlugin extends EncoderPlugin {
  constructor() {
    const description =
      'Temporal analog spikes: integrate-and-fire time encoding with an adaptive threshold.';
    super('TASEncoderPlugin', description, tasSettings);
  }

  protected code(): Code {
    const { alpha, rho } = this.settings(tasSettings);
    return { kind: 'tas', alpha, rho };
  }
}

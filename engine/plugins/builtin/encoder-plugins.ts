import { type Code, openCodec } from '../../encoders/codec.ts';
import { EngineError } from '../../errors.ts';
import type { BasePlugin, SettingsOf } from '../base-plugin.ts';
import { type Setting, settings } from '../configuration.ts';
import { packSpikes, unpackSpikes } from '../spike-arrays.ts';
import {
  array,
  arrayAt,
  choice,
  definePlugin,
  integer,
  number,
  optional,
  positive,
  seed,
  spikes,
} from './define-plugin.ts';

const steps = integer('Time steps', 32, [1, 4096]);

interface Encoder<P extends Readonly<Record<string, Setting>>> {
  readonly name: string;
  readonly description: string;
  readonly properties: P;
  readonly code: (given: SettingsOf<{ type: 'object'; properties: P }>) => Code;
}

/** A code in both directions: numbers to spikes, or spikes to numbers. */
function encoderPlugin<P extends Readonly<Record<string, Setting>>>({
  name,
  description,
  properties,
  code,
}: Encoder<P>): BasePlugin {
  return definePlugin({
    name,
    description,
    type: 'ENCODER',
    configuration: settings({ steps, ...properties }),
    inputs: {
      values: optional(array(['N'], 'Numbers from 0 to 1 to encode')),
      spikes: optional(spikes(['T', 'N'], 'Spikes to decode, instead')),
    },
    outputs: {
      spikes: optional(spikes(['T', 'N'], 'What the numbers became')),
      values: optional(array(['N'], 'What the spikes stand for')),
    },
    async open(context, given, [count = 0, width = 0]) {
      const shape = { steps: count, rows: 1, width };
      const codec = await openCodec(await context.openBackend(), code(given), shape);
      return { codec, draws: 0, close: codec.close };
    },
    async execute({ values, settings: given, opened }) {
      if ((values['values'] === undefined) === (values['spikes'] === undefined)) {
        throw new EngineError('invalid-setting', 'expected either values or spikes');
      }
      if (values['spikes'] !== undefined) {
        const raster = arrayAt(values, 'spikes');
        const [count = 0, width = 0] = raster.shape;
        const { codec } = await opened(count, width);
        return { values: { shape: [width], data: await codec.decode(packSpikes(raster)) } };
      }
      const { data } = arrayAt(values, 'values');
      const resource = await opened(given.steps, data.length);
      // Each call uses new draws; the first draw is the same in every run.
      const bits = await resource.codec.encode(data, resource.draws++);
      return { spikes: unpackSpikes(bits, given.steps, data.length) };
    },
  });
}

export const encoderPlugins = (): BasePlugin[] => [
  encoderPlugin({
    name: 'RateEncoderPlugin',
    description: 'Each step a spike with the probability of the number (Bernoulli, Philox).',
    properties: { seed: seed() },
    code: (given) => ({ kind: 'rate', seed: given.seed }),
  }),
  encoderPlugin({
    name: 'TASEncoderPlugin',
    description:
      'Temporal analog spikes: integrate-and-fire time encoding with an adaptive threshold.',
    properties: {
      alpha: number('α', 0.1, {
        description: 'What a spike adds to the threshold; 0 is sigma-delta coding.',
        minimum: 0,
        maximum: 100,
      }),
      rho: number('ρ', 0.9, {
        description: 'What a step without a spike keeps of that.',
        minimum: 0,
        maximum: 1,
      }),
    },
    code: ({ alpha, rho }) => ({ kind: 'tas', alpha, rho }),
  }),
  encoderPlugin({
    name: 'LatencyEncoderPlugin',
    description: 'One spike or none, the earlier the larger the number.',
    properties: {
      curve: choice(
        'Curve',
        ['logarithmic', 'linear'],
        'logarithmic is t = tau ln(x / (x - theta)), linear t = (1 - x)(T - 1).',
      ),
      tau: positive('τ', 5, 'steps'),
      theta: number('θ', 0.01, {
        description: 'Numbers up to it have no spike.',
        exclusiveMinimum: 0,
        maximum: 1,
      }),
    },
    code: ({ curve, tau, theta }) =>
      curve === 'linear'
        ? { kind: 'latency', curve, theta }
        : { kind: 'latency', curve: 'logarithmic', tau, theta },
  }),
];

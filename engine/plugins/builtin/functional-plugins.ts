import { auditoryDefaults, openAuditoryFrontEnd } from '../../functional/auditory-front-end.ts';
import { openMotorDecoder, populationVector } from '../../functional/motor-decoder.ts';
import { openVisionFrontEnd, visionDefaults } from '../../functional/vision-front-end.ts';
import type { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import { packSpikes, unpackSpikes } from '../spike-arrays.ts';
import {
  array,
  arrayAt,
  definePlugin,
  integer,
  number,
  positive,
  spikes,
} from './define-plugin.ts';

const visionPlugin = (): BasePlugin =>
  definePlugin({
    name: 'VisionFrontPlugin',
    type: 'FUNCTIONAL',
    description: 'Grey images to the first spikes of centre-surround and orientation cells.',
    configuration: settings({
      orientations: integer('Orientations of bars', visionDefaults.orientations, [1, 36]),
      size: integer('Side of a receptive field', visionDefaults.size, [3, 63], {
        description: 'Odd.',
        unit: 'pixels',
      }),
      wavelength: positive('From bar to bar', visionDefaults.wavelength, 'pixels'),
      gain: positive('Gain', visionDefaults.gain),
      steps: integer('Time steps', 16, [1, 1024]),
      tau: positive('τ of the latency', 5, 'steps'),
    }),
    inputs: { image: array(['H', 'W'], 'Light of each pixel, from 0 to 1') },
    outputs: {
      spikes: spikes(['T', 'C'], 'Of every kind of cell at every pixel: [cells][H][W]'),
      cells: { kind: 'json', description: 'What the kinds of cells answer to, in order' },
    },
    async open(context, { steps, tau, ...given }, [height = 0, width = 0]) {
      const code = { curve: 'logarithmic', tau, steps } as const;
      return openVisionFrontEnd(await context.openBackend(), { ...given, height, width, code });
    },
    async execute({ values, settings: { steps }, opened }) {
      const { shape, data } = arrayAt(values, 'image');
      const [height = 0, width = 0] = shape;
      const frontEnd = await opened(height, width);
      const encoded = await frontEnd.encode(data);
      return {
        spikes: unpackSpikes(encoded.spikes, steps, frontEnd.cells.length * height * width),
        cells: frontEnd.cells.map((cell) => ({ ...cell })),
      };
    },
  });

const auditoryPlugin = (): BasePlugin =>
  definePlugin({
    name: 'AuditoryFrontPlugin',
    type: 'FUNCTIONAL',
    description: 'Sound through a cochlea of gammatone filters to the spikes of the nerve.',
    configuration: settings({
      sample_rate: positive('Sample rate', auditoryDefaults.sampleRateHz, 'Hz'),
      channels: integer('Channels', auditoryDefaults.channels, [1, 512]),
      lowest: positive('Lowest channel', auditoryDefaults.lowestHz, 'Hz'),
      highest: positive('Highest channel', auditoryDefaults.highestHz, 'Hz'),
      hop: integer('Samples of a step', auditoryDefaults.hop, [1, 65_536]),
      gain: positive('Gain', auditoryDefaults.gain),
    }),
    inputs: { waveform: array(['S'], 'Samples') },
    outputs: {
      spikes: spikes(['T', 'C'], 'Of the nerve'),
      frequencies: array(['C'], 'Of the channels in Hz'),
    },
    async open(context, { sample_rate, lowest, highest, ...given }, [samples = 0]) {
      const range = { sampleRateHz: sample_rate, lowestHz: lowest, highestHz: highest };
      const options = { ...auditoryDefaults, ...given, ...range };
      return openAuditoryFrontEnd(await context.openBackend(), options, samples);
    },
    async execute({ values, opened }) {
      const { data } = arrayAt(values, 'waveform');
      const frontEnd = await opened(data.length);
      const encoded = await frontEnd.encode(data);
      const channels = frontEnd.frequenciesHz.length;
      return {
        spikes: unpackSpikes(encoded.spikes, frontEnd.steps, channels),
        frequencies: { shape: [channels], data: Float32Array.from(frontEnd.frequenciesHz) },
      };
    },
  });

const motorPlugin = (): BasePlugin =>
  definePlugin({
    name: 'MotorDecoderPlugin',
    type: 'FUNCTIONAL',
    description: 'Firing rates to a command by the population vector (Georgopoulos et al. 1986).',
    configuration: settings({
      baseline: number('Rate without a command', 0.5, {
        unit: 'spikes a step',
        minimum: 0,
        maximum: 1,
      }),
      modulation: number('What a command along the preferred one adds', 0.5, {
        unit: 'spikes a step',
        exclusiveMinimum: 0,
        maximum: 1,
      }),
    }),
    inputs: {
      spikes: spikes(['T', 'N'], 'Of a population of neurons with cosine tuning'),
      preferred: array(['N', 'D'], 'The unit vector that each neuron prefers'),
    },
    outputs: { command: array(['D'], 'The decoded command') },
    async execute({ values, settings: tuning, context }) {
      const raster = arrayAt(values, 'spikes');
      const { shape, data } = arrayAt(values, 'preferred');
      const [neurons = 0, axes = 0] = shape;
      const preferred = Array.from({ length: neurons }, (_, i) => [
        ...data.subarray(i * axes, (i + 1) * axes),
      ]);
      const weights = populationVector({ preferred, ...tuning });
      const backend = await context.openBackend();
      const decoder = await openMotorDecoder(backend, weights, raster.shape[0] ?? 0);
      try {
        return { command: { shape: [axes], data: await decoder.command(packSpikes(raster)) } };
      } finally {
        decoder.close();
      }
    },
  });

export const functionalPlugins = (): BasePlugin[] => [
  visionPlugin(),
  auditoryPlugin(),
  motorPlugin(),
];

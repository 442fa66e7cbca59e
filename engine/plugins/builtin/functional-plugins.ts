import { auditoryDefaults, type Ear, openAuditoryFront } from '../../functional/auditory-front-end.ts';
import { openMotorDecoder, populationVector } from '../../functional/motor-decoder.ts';
import { type Eye, openVisionFront, visionDefaults } from '../../functional/vision-front-end.ts';
import { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import { metadata } from '../metadata.ts';
import type { PluginArray, PluginValues } from '../ports.ts';
import { packSpikes, unpackSpikes } from '../spike-arrays.ts';
import { DevicePlugin } from './device-plugin.ts';

const version = '1.0.0';

const visionSettings = settings({
  orientations: {
    type: 'integer',
    title: 'Orientations of bars',
    default: visionDefaults.orientations,
    minimum: 1,
    maximum: 36,
  },
  size: {
    type: 'integer',
    title: 'Side of a receptive field',
    description: 'Odd.',
    unit: 'pixels',
    default: visionDefaults.size,
    minimum: 3,
    maximum: 63,
  },
  wavelength: {
    type: 'number',
    title: 'From bar to bar',
    unit: 'pixels',
    default: visionDefaults.wavelength,
    exclusiveMinimum: 0,
  },
  gain: { type: 'number', title: 'Gain', default: visionDefaults.gain, exclusiveMinimum: 0 },
  steps: { type: 'integer', title: 'Time steps', default: 16, minimum: 1, maximum: 1024 },
  tau: {
    type: 'number',
    title: 'τ of the latency',
    unit: 'steps',
    default: 5,
    exclusiveMinimum: 0,
  },
});

export class VisionFrontPlugin extends DevicePlugin<Eye> {
  getMetadata() {
    return metadata({
      name: 'VisionFrontPlugin',
      type: 'FUNCTIONAL',
      version,
      description: 'Grey images to the first spikes of centre-surround and orientation cells.',
      configuration: visionSettings,
      inputs: {
        image: { kind: 'array', axes: ['H', 'W'], description: 'Light of each pixel, from 0 to 1' },
      },
      outputs: {
        spikes: {
          kind: 'array',
          axes: ['T', 'C'],
          values: 'spikes',
          description: 'Of every kind of cell at every pixel: [cells][H][W]',
        },
        cells: { kind: 'json', description: 'What the kinds of cells answer to, in order' },
      },
    });
  }

  async execute({ image }: PluginValues): Promise<PluginValues> {
    const { steps, tau, ...given } = this.settings(visionSettings);
    // The port says that it has two axes.
    const { shape, data } = image as PluginArray;
    const [height = 0, width = 0] = shape;
    const eye = await this.opened(`${height} x ${width}`, async () =>
      openVisionFront(await this.context.openBackend(), {
        ...given,
        height,
        width,
        code: { curve: 'logarithmic', tau, steps },
      }),
    );
    const { spikes } = await eye.see(data);
    return {
      spikes: unpackSpikes(spikes, steps, eye.cells.length * height * width),
      cells: eye.cells.map((cell) => ({ ...cell })),
    };
  }
}

const hertz = (title: string, initial: number) =>
  ({ type: 'number', title, unit: 'Hz', default: initial, exclusiveMinimum: 0 }) as const;

const auditorySettings = settings({
  sample_rate: hertz('Sample rate', auditoryDefaults.sampleRateHz),
  channels: {
    type: 'integer',
    title: 'Channels',
    default: auditoryDefaults.channels,
    minimum: 1,
    maximum: 512,
  },
  lowest: hertz('Lowest channel', auditoryDefaults.lowestHz),
  highest: hertz('Highest channel', auditoryDefaults.highestHz),
  hop: {
    type: 'integer',
    title: 'Samples of a step',
    default: auditoryDefaults.hop,
    minimum: 1,
    maximum: 65_536,
  },
  gain: { type: 'number', title: 'Gain', default: auditoryDefaults.gain, exclusiveMinimum: 0 },
});

export class AuditoryFrontPlugin extends DevicePlugin<Ear> {
  getMetadata() {
    return metadata({
      name: 'AuditoryFrontPlugin',
      type: 'FUNCTIONAL',
      version,
      description: 'Sound through a cochlea of gammatone filters to the spikes of the nerve.',
      configuration: auditorySettings,
      inputs: { waveform: { kind: 'array', axes: ['S'], description: 'Samples' } },
      outputs: {
        spikes: { kind: 'array', axes: ['T', 'C'], values: 'spikes', description: 'Of the nerve' },
        frequencies: { kind: 'array', axes: ['C'], description: 'Of the channels in Hz' },
      },
    });
  }

  async execute({ waveform }: PluginValues): Promise<PluginValues> {
    const {
      sample_rate: sampleRateHz,
      lowest,
      highest,
      ...given
    } = this.settings(auditorySettings);
    // The port says that it is an array.
    const { data } = waveform as PluginArray;
    const ear = await this.opened(`${data.length} samples`, async () =>
      openAuditoryFront(
        await this.context.openBackend(),
        { ...auditoryDefaults, ...given, sampleRateHz, lowestHz: lowest, highestHz: highest },
        data.length,
      ),
    );
    const { spikes } = await ear.hear(data);
    const channels = ear.frequenciesHz.length;
    return {
      spikes: unpackSpikes(spikes, ear.steps, channels),
      frequencies: { shape: [channels], data: Float32Array.from(ear.frequenciesHz) },
    };
  }
}

const motorSettings = settings({
  baseline: {
    type: 'number',
    title: 'Rate without a command',
    unit: 'spikes a step',
    default: 0.5,
    minimum: 0,
    maximum: 1,
  },
  modulation: {
    type: 'number',
    title: 'What a command along the preferred one adds',
    unit: 'spikes a step',
    default: 0.5,
    exclusiveMinimum: 0,
    maximum: 1,
  },
});

export class MotorDecoderPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'MotorDecoderPlugin',
      type: 'FUNCTIONAL',
      version,
      description: 'Firing rates to a command by the population vector (Georgopoulos et al. 1986).',
      configuration: motorSettings,
      inputs: {
        spikes: {
          kind: 'array',
          axes: ['T', 'N'],
          values: 'spikes',
          description: 'Of a population of neurons with cosine tuning',
        },
        preferred: {
          kind: 'array',
          axes: ['N', 'D'],
          description: 'The unit vector that each neuron prefers',
        },
      },
      outputs: { command: { kind: 'array', axes: ['D'], description: 'The decoded command' } },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    // The ports say that both have two axes.
    const spikes = values['spikes'] as PluginArray;
    const { shape, data } = values['preferred'] as PluginArray;
    const [neurons = 0, numbers = 0] = shape;
    const rows = Array.from({ length: neurons }, (_, i) => [
      ...data.subarray(i * numbers, (i + 1) * numbers),
    ]);
    const decoder = populationVector({ preferred: rows, ...this.settings(motorSettings) });
    const backend = await this.context.openBackend();
    const hand = await openMotorDecoder(backend, decoder, spikes.shape[0] ?? 0);
    try {
      return { command: { shape: [numbers], data: await hand.command(packSpikes(spikes)) } };
    } finally {
      hand.close();
    }
  }
}

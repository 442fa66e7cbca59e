import { vanRossum, victorPurpura } from '../../analysis/spike-distances.ts';
import {
  coefficientOfVariation,
  fanoFactor,
  intervalsOf,
  localVariation,
  momentsOf,
  rateHz,
  type SpikeTrain,
  spikeTrainsOf,
} from '../../analysis/spike-trains.ts';
import { populationSynchrony } from '../../analysis/synchrony.ts';
import { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import { metadata } from '../metadata.ts';
import { arrayOf, type PluginArray, type PluginValues } from '../ports.ts';

const configuration = settings({
  dt: {
    type: 'number',
    title: 'Step',
    description: 'The time between two rows of the raster.',
    unit: 'ms',
    default: 1,
    exclusiveMinimum: 0,
    maximum: 1000,
  },
  window: {
    type: 'number',
    title: 'Counting window',
    description: 'For the Fano factor and for synchrony.',
    unit: 'ms',
    default: 50,
    exclusiveMinimum: 0,
  },
  tau: {
    type: 'number',
    title: 'Time constant of the van Rossum distance',
    unit: 'ms',
    default: 10,
    exclusiveMinimum: 0,
  },
  cost: {
    type: 'number',
    title: 'Cost of moving a spike',
    description: 'Of the Victor-Purpura distance.',
    unit: '1/ms',
    default: 0.1,
    minimum: 0,
  },
});

const described = metadata({
  name: 'SpikeTrainStatisticsPlugin',
  type: 'MONITORING',
  version: '1.0.0',
  description:
    'Rates, intervals, CV, CV2, Fano factor and synchrony of a raster; and its distance to another.',
  configuration,
  inputs: {
    spikes: { kind: 'array', axes: ['T', 'N'], values: 'spikes', description: 'The raster' },
    reference: {
      kind: 'array',
      axes: ['T', 'N'],
      values: 'spikes',
      optional: true,
      description: 'A raster to compare it with, neuron by neuron',
    },
  },
  outputs: {
    rates: { kind: 'array', axes: ['N'], description: 'Spikes a second of each neuron' },
    neurons: { kind: 'json', description: 'Of each neuron: spikes, mean_interval, cv, cv2, fano' },
    population: { kind: 'json', description: 'Of all: spikes, rate, cv, fano, synchrony' },
    distances: {
      kind: 'json',
      optional: true,
      description: 'To the reference, of each neuron: van_rossum and victor_purpura',
    },
  },
});

/** Says in numbers how a network fires. */
export class SpikeTrainStatisticsPlugin extends BasePlugin {
  getMetadata() {
    return described;
  }

  execute({ spikes, reference }: PluginValues): PluginValues {
    const { dt, window } = this.settings(configuration);
    // The ports say that both are arrays of two axes.
    const raster = spikes as PluginArray;
    const trains = trainsOf(raster, dt);
    const duration = (raster.shape[0] ?? 0) * dt;
    const rates = trains.map((train) => (duration > 0 ? rateHz(train, duration) : 0));
    const neurons = trains.map((train) => neuronOf(train, duration, window));
    const population = {
      spikes: trains.reduce((sum, train) => sum + train.length, 0),
      rate: momentsOf(rates).mean,
      cv: meanOf(neurons.map(({ cv }) => cv)),
      fano: meanOf(neurons.map(({ fano }) => fano)),
      synchrony: duration > 0 ? populationSynchrony(trains, duration, window) : null,
    };
    const compared =
      reference === undefined ? {} : { distances: this.#distances(trains, reference) };
    return { rates: arrayOf([rates.length], rates), neurons, population, ...compared };
  }

  #distances(trains: readonly SpikeTrain[], reference: PluginValues[string]) {
    const { dt, tau, cost } = this.settings(configuration);
    const others = trainsOf(reference as PluginArray, dt);
    return trains.map((train, i) => ({
      van_rossum: vanRossum(train, others[i] ?? [], tau),
      victor_purpura: victorPurpura(train, others[i] ?? [], cost),
    }));
  }
}

const trainsOf = ({ shape, data }: PluginArray, dt: number) =>
  spikeTrainsOf(data, [shape[0] ?? 0, shape[1] ?? 0], dt);

function neuronOf(train: SpikeTrain, duration: number, window: number) {
  const intervals = intervalsOf(train);
  return {
    spikes: train.length,
    mean_interval: intervals.length > 0 ? momentsOf(intervals).mean : null,
    cv: coefficientOfVariation(train),
    cv2: localVariation(train),
    fano: duration > 0 ? fanoFactor(train, duration, window) : null,
  };
}

/** Of those that have the number; null where none has. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? momentsOf(known).mean : null;
}

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
import type { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import { arrayOf, type PluginArray } from '../ports.ts';
import {
  array,
  arrayAt,
  definePlugin,
  number,
  optional,
  positive,
  spikes,
} from './define-plugin.ts';

const configuration = settings({
  dt: number('Step', 1, {
    description: 'The time between two rows of the raster.',
    unit: 'ms',
    exclusiveMinimum: 0,
    maximum: 1000,
  }),
  window: number('Counting window', 50, {
    description: 'For the Fano factor and for synchrony.',
    unit: 'ms',
    exclusiveMinimum: 0,
  }),
  tau: positive('Time constant of the van Rossum distance', 10, 'ms'),
  cost: number('Cost of moving a spike', 0.1, {
    description: 'Of the Victor-Purpura distance.',
    unit: '1/ms',
    minimum: 0,
  }),
});

/** Firing statistics of a raster, and its distance to another. */
export const statisticsPlugin = (): BasePlugin =>
  definePlugin({
    name: 'SpikeTrainStatisticsPlugin',
    type: 'MONITORING',
    description:
      'Rates, intervals, CV, CV2, Fano factor and synchrony of a raster; and its distance to another.',
    configuration,
    inputs: {
      spikes: spikes(['T', 'N'], 'The raster'),
      reference: optional(spikes(['T', 'N'], 'A raster to compare it with, neuron by neuron')),
    },
    outputs: {
      rates: array(['N'], 'Spikes a second of each neuron'),
      neurons: {
        kind: 'json',
        description: 'Of each neuron: spikes, mean_interval, cv, cv2, fano',
      },
      population: { kind: 'json', description: 'Of all: spikes, rate, cv, fano, synchrony' },
      distances: {
        kind: 'json',
        optional: true,
        description: 'To the reference, of each neuron: van_rossum and victor_purpura',
      },
    },
    execute({ values, settings: { dt, window, tau, cost } }) {
      const raster = arrayAt(values, 'spikes');
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
      const statistics = { rates: arrayOf([rates.length], rates), neurons, population };
      if (values['reference'] === undefined) return statistics;
      const others = trainsOf(arrayAt(values, 'reference'), dt);
      const distances = trains.map((train, i) => ({
        van_rossum: vanRossum(train, others[i] ?? [], tau),
        victor_purpura: victorPurpura(train, others[i] ?? [], cost),
      }));
      return { ...statistics, distances };
    },
  });

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

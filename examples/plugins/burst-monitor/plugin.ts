import {
  BasePlugin,
  intervalsOf,
  metadata,
  type PluginArray,
  type PluginValues,
  settings,
  spikeTrainsOf,
} from 'spikegrid';

const configuration = settings({
  interval: {
    type: 'number',
    title: 'Longest interval within a burst',
    unit: 'ms',
    default: 8,
    exclusiveMinimum: 0,
    maximum: 1000,
  },
  spikes: {
    type: 'integer',
    title: 'Fewest spikes of a burst',
    default: 3,
    minimum: 2,
    maximum: 100,
  },
});

/** Finds bursts: runs of spikes whose intervals are all short. */
class BurstMonitorPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'BurstMonitorPlugin',
      type: 'MONITORING',
      version: '1.0.0',
      description: 'Counts the bursts of each neuron and says how regular the network is besides.',
      dependencies: { SpikeTrainStatisticsPlugin: '^1.0.0' },
      configuration,
      inputs: {
        spikes: {
          kind: 'array',
          axes: ['T', 'N'],
          values: 'spikes',
          description: 'A raster in steps of 1 ms',
        },
      },
      outputs: {
        bursts: { kind: 'json', description: 'Of each neuron: bursts, and the spikes in them' },
        population: { kind: 'json', description: 'As the spike-train statistics have it' },
      },
    });
  }

  async execute({ spikes }: PluginValues): Promise<PluginValues> {
    const { shape, data } = spikes as PluginArray;
    const trains = spikeTrainsOf(data, [shape[0] ?? 0, shape[1] ?? 0]);
    const bursts = trains.map((train) => this.#burstsOf(intervalsOf(train)));
    const { population = null } = await this.context.execute('SpikeTrainStatisticsPlugin', {
      spikes: { shape, data },
    });
    this.context.log('info', `${bursts.reduce((sum, { count }) => sum + count, 0)} bursts`);
    return { bursts, population };
  }

  #burstsOf(intervals: readonly number[]): { count: number; spikes: number } {
    const { interval: longest, spikes: fewest } = this.settings(configuration);
    let [count, spikes, run] = [0, 0, 1];
    // The end closes the last run.
    for (const interval of [...intervals, Infinity]) {
      if (interval <= longest) {
        run += 1;
        continue;
      }
      if (run >= fewest) {
        count += 1;
        spikes += run;
      }
      run = 1;
    }
    return { count, spikes };
  }
}

export const createPlugin = () => new BurstMonitorPlugin();

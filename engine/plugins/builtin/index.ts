import type { BasePlugin } from '../base-plugin.ts';
import { encoderPlugins } from './encoder-plugins.ts';
import { EntangledSynchronyPlugin } from './entangled-synchrony-plugin.ts';
import { functionalPlugins } from './functional-plugins.ts';
import { learningPlugins } from './learning-plugins.ts';
import { modelPlugins } from './neuron-plugins.ts';
import { plasticityPlugins } from './plasticity-plugins.ts';
import { statisticsPlugin } from './spike-train-statistics-plugin.ts';

/** A new instance of each plugin that is part of the engine. */
export function createBuiltInPlugins(): BasePlugin[] {
  return [
    ...modelPlugins(),
    new EntangledSynchronyPlugin(),
    ...encoderPlugins(),
    ...plasticityPlugins(),
    ...functionalPlugins(),
    ...learningPlugins(),
    statisticsPlugin(),
  ];
}

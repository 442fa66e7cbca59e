/** The API for plugin authors: `import { … } from 'spikegrid'`. */
export type { Backend } from '../graph/backend.ts';
export type { NeuronModel, NeuronParameter, NeuronState } from '../kernels/neuron-model.ts';
export { EngineError, type EngineErrorCode } from '../errors.ts';
export { BasePlugin, type PluginContext, type SettingsOf } from './base-plugin.ts';
export {
  type Configuration,
  type ConfigurationFault,
  type ConfigurationSchema,
  type Setting,
  settings,
} from './configuration.ts';
export { callersCode } from './plugin-errors.ts';
export { neuronFromEquations } from './neuron-from-equations.ts';
export { ModelNeuronPlugin, type ModelPluginFacts } from './model-neuron-plugin.ts';
export { metadata, type MetadataInput, parseMetadata, type PluginMetadata } from './metadata.ts';
export {
  checkCurrent,
  checkLayer,
  isLayerSource,
  type LayerSource,
  type NeuronLayer,
  NeuronPlugin,
  neuronPorts,
} from './neuron-plugin.ts';
export { LOG_LEVELS, type LogEntry, type LogLevel } from './plugin-log.ts';
export { PLUGIN_STATUSES, PluginStatus } from './plugin-status.ts';
export { isPluginType, PLUGIN_TYPES, PluginType } from './metadata.ts';
export {
  arrayOf,
  checkValues,
  isPluginArray,
  type PluginArray,
  type PluginValue,
  type PluginValues,
  type Port,
  type Ports,
} from './ports.ts';
export { eventsOf, packSpikes, unpackSpikes } from './spike-arrays.ts';
export { type TimeLimits, withinTime } from './plugin-errors.ts';
export { isInRange, isRange, isVersion } from './dependencies.ts';

export { vanRossum, victorPurpura } from '../analysis/spike-distances.ts';
export {
  coefficientOfVariation,
  fanoFactor,
  intervalsOf,
  localVariation,
  rateHz,
  type SpikeTrain,
  spikeTrainsOf,
} from '../analysis/spike-trains.ts';
export { countCorrelation, phaseOrder, populationSynchrony } from '../analysis/synchrony.ts';

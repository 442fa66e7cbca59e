/** What a plugin does for the platform. */
export const PluginType = {
  NEURON: 'NEURON',
  ENCODER: 'ENCODER',
  PLASTICITY: 'PLASTICITY',
  FUNCTIONAL: 'FUNCTIONAL',
  LEARNING: 'LEARNING',
  MONITORING: 'MONITORING',
  COMMUNICATION: 'COMMUNICATION',
} as const;
export type PluginType = (typeof PluginType)[keyof typeof PluginType];

export const PLUGIN_TYPES: readonly PluginType[] = Object.values(PluginType);

export const isPluginType = (value: unknown): value is PluginType =>
  PLUGIN_TYPES.some((type) => type === value);

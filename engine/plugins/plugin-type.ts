/** What a plugin does for the platform. */
export const PLUGIN_TYPES = [
  'NEURON',
  'ENCODER',
  'PLASTICITY',
  'FUNCTIONAL',
  'LEARNING',
  'MONITORING',
  'COMMUNICATION',
] as const;
export type PluginType = (typeof PLUGIN_TYPES)[number];

export const isPluginType = (value: unknown): value is PluginType =>
  PLUGIN_TYPES.some((type) => type === value);

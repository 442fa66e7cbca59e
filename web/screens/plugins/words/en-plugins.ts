import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaPlugins } from './ja-plugins.ts';

/** English texts of the Plugins screen. */
export const enPlugins = {
  'plugins.lead':
    'Neuron models, encoders, plasticity rules and tools: those built into this tab, and those of the plugin hosts behind the gateway.',
  'plugins.where': 'Runs in',
  'plugins.tab': 'This tab',
  'plugins.type': 'Type',
  'plugins.allTypes': 'All types',
  'plugins.none': 'No plugin of this type',
  'plugins.noneHelp': 'Choose another type, or another host.',
  'plugins.list': 'Plugins',
  'plugins.refused': 'Refused',
  'plugins.refusedNote': 'Found in the folders of the host but not usable as plugins.',
  'plugins.source': 'Found at',
  'plugins.reason': 'Reason',
  'plugins.back': 'All plugins',

  'column.name': 'Name',
  'column.type': 'Type',
  'column.version': 'Version',
  'column.status': 'Status',
  'column.origin': 'Origin',
  'column.since': 'Since',

  'type.NEURON': 'Neuron',
  'type.ENCODER': 'Encoder',
  'type.PLASTICITY': 'Plasticity',
  'type.FUNCTIONAL': 'Functional',
  'type.LEARNING': 'Learning',
  'type.MONITORING': 'Monitoring',
  'type.COMMUNICATION': 'Communication',

  'status.LOADED': 'Loaded',
  'status.INITIALIZED': 'Initialized',
  'status.ACTIVE': 'Active',
  'status.INACTIVE': 'Inactive',
  'status.ERROR': 'Error',

  'origin.built-in': 'Built in',
  'origin.folder': 'Folder of the host',

  'plugin.about': 'About',
  'plugin.author': 'Author',
  'plugin.unknown': 'Not specified',
  'plugin.dependencies': 'Dependencies',
  'plugin.permissions': 'Permissions',
  'plugin.digest': 'SHA-256',
  'plugin.activate': 'Activate',
  'plugin.deactivate': 'Deactivate',
  'plugin.activated': '{name} is active.',
  'plugin.deactivated': '{name} is no longer active.',
  'plugin.notActive': 'Not active: {reason}',

  'ports.title': 'Inputs and outputs',
  'ports.none': 'No inputs or outputs.',
  'ports.name': 'Port',
  'ports.way': 'Direction',
  'ports.input': 'Input',
  'ports.optionalInput': 'Input, optional',
  'ports.output': 'Output',
  'ports.kind': 'Format',
  'ports.meaning': 'Meaning',

  'settings.title': 'Configuration',
  'settings.note': 'An active plugin restarts with the new configuration.',
  'settings.none': 'No settings.',
  'settings.withUnit': '{title} ({unit})',
  'settings.apply': 'Apply',
  'settings.defaults': 'Defaults',
  'settings.applied': 'Configuration of {name} applied.',
  'settings.secret': 'Secret: the stored value is not shown.',
  'settings.onlyAdmin': 'Only an administrator can change plugins of a host.',

  'logs.title': 'Log',
  'logs.none': 'No log lines yet.',
  'logs.time': 'Time',
  'logs.level': 'Level',
  'logs.message': 'Message',
} as const;

export type PluginsText = ScreenText<typeof enPlugins>;

/** Everything that is written on the Plugins screen. */
export const usePluginsText = createScreenText<typeof enPlugins>({ en: enPlugins, ja: jaPlugins });

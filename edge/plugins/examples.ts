import type { pluginEndpoints } from './endpoints.ts';
import type { PluginRecord, PluginSummary } from './contract/plugin.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const params = { name: 'LIFNeuronPlugin' };

const summary: PluginSummary = {
  name: params.name,
  type: 'NEURON',
  version: '1.0.0',
  description: 'Leaky integrate-and-fire neurons.',
  author: null,
  origin: 'built-in',
  status: 'ACTIVE',
  reason: '',
  since: '2026-11-22T10:00:00.000Z',
};

const record: PluginRecord = {
  ...summary,
  dependencies: {},
  permissions: [],
  digest: null,
  configuration_schema: {
    type: 'object',
    properties: {
      tau: { type: 'number', title: 'Time constant', default: 20, unit: 'ms', exclusiveMinimum: 0 },
    },
  },
  configuration: { tau: 20 },
  inputs: {
    current: {
      kind: 'array',
      description: 'The current of each neuron, step by step.',
      optional: false,
      axes: ['steps', 'neurons'],
      values: 'finite',
    },
  },
  outputs: {
    spikes: {
      kind: 'array',
      description: 'A spike or none of each neuron, step by step.',
      optional: false,
      axes: ['steps', 'neurons'],
      values: 'spikes',
    },
  },
};

export const pluginExamples: ExamplesOf<typeof pluginEndpoints> = {
  listPlugins: {
    query: { type: 'NEURON' },
    answers: { 200: { plugins: [summary], total: 1, refused: [] } },
  },
  getPlugin: { params, query: {}, answers: { 200: record } },
  getConfiguration: {
    params,
    query: {},
    answers: {
      200: { schema: record.configuration_schema, values: record.configuration },
    },
  },
  putConfiguration: {
    params,
    body: { values: { tau: 20 } },
    answers: { 200: record },
  },
  activatePlugin: { params, answers: { 200: record } },
  deactivatePlugin: { params, answers: { 200: { ...record, status: 'INACTIVE' } } },
  executePlugin: {
    params,
    body: { inputs: { current: { shape: [2, 2], data: [0, 2, 0, 5] } } },
    answers: {
      200: {
        outputs: { spikes: { shape: [2, 2], data: [0, 1, 0, 1] } },
        duration_ms: 1.2,
      },
    },
  },
  pluginLogs: {
    params,
    query: { after: '0', limit: '100' },
    answers: {
      200: {
        logs: [
          {
            seq: 1,
            timestamp: '2026-11-22T10:00:00.000Z',
            level: 'info',
            message: 'activated',
          },
        ],
        latest_seq: 1,
      },
    },
  },
};

import * as z from 'zod/mini';
import { type Endpoints, get, put, post } from '../contract/endpoint.ts';
import * as pluginConfigurationSchemas from './contract/configuration.ts';
import { ConfigurationChange, PluginConfiguration } from './contract/configuration.ts';
import * as pluginExecutionSchemas from './contract/execution.ts';
import * as pluginSchemas from './contract/plugin.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** The tag by which plugin hosts are found among the services of the gateway. */
export const PLUGIN_HOST_TAG = 'plugin-host';

/** A number of a line, as a query writes it. */
const LineNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'expected a whole number')),
  z.transform(Number),
);
const LineCount = z.pipe(
  z
    .string()
    .check(z.regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'expected a whole number from 1 to 500')),
  z.transform(Number),
);

/** A host of plugins: a service of Node. Port 8005, `/plugin-host/…` behind the gateway. */
export const pluginEndpoints = {
  listPlugins: get('/plugins', 'authenticated', {
    summary: 'The plugins of this host, and what it found but could not use.',
    query: z.strictObject({
      type: z.optional(pluginSchemas.PluginType),
      status: z.optional(pluginSchemas.PluginStatus),
    }),
    responses: { 200: pluginSchemas.PluginList },
  }),
  getPlugin: get('/plugins/:name', 'authenticated', {
    summary: 'One plugin with its metadata, its configuration and its ports.',
    responses: { 200: pluginSchemas.PluginRecord },
    problems: ['plugin_not_found'],
  }),
  getConfiguration: get('/plugins/:name/configuration', 'authenticated', {
    summary: 'The settings of a plugin and the schema a form is made from.',
    responses: { 200: PluginConfiguration },
    problems: ['plugin_not_found'],
  }),
  putConfiguration: put('/plugins/:name/configuration', 'admin', {
    summary: 'Gives a plugin new settings; one that runs is begun anew with them.',
    body: ConfigurationChange,
    responses: { 200: pluginSchemas.PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  }),
  activatePlugin: post('/plugins/:name/activate', 'admin', {
    summary:
      'Initializes a plugin where needed and activates it; how one that failed is tried again.',
    responses: { 200: pluginSchemas.PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  }),
  deactivatePlugin: post('/plugins/:name/deactivate', 'admin', {
    summary: 'Deactivates a plugin; refused while an active one depends on it.',
    responses: { 200: pluginSchemas.PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  }),
  executePlugin: post('/plugins/:name/execute', 'admin', {
    summary: 'Executes an active plugin once.',
    body: pluginExecutionSchemas.ExecuteRequest,
    maxBodyBytes: pluginExecutionSchemas.MAX_EXECUTE_BYTES,
    responses: { 200: pluginExecutionSchemas.ExecuteAnswer },
    problems: [
      'plugin_not_found',
      'plugin_state',
      'plugin_failed',
      'payload_too_large',
      'overloaded',
    ],
  }),
  pluginLogs: get('/plugins/:name/logs', 'authenticated', {
    summary: 'The latest lines a plugin wrote, and what became of it.',
    query: z.strictObject({
      after: z.prefault(LineNumber, '0'),
      limit: z.prefault(LineCount, '100'),
    }),
    responses: { 200: pluginSchemas.PluginLogs },
    problems: ['plugin_not_found'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const pluginDocs = () => {
  const params = { name: 'LIFNeuronPlugin' };

  const summary: pluginSchemas.PluginSummary = {
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

  const record: pluginSchemas.PluginRecord = {
    ...summary,
    dependencies: {},
    permissions: [],
    digest: null,
    configuration_schema: {
      type: 'object',
      properties: {
        tau: {
          type: 'number',
          title: 'Time constant',
          default: 20,
          unit: 'ms',
          exclusiveMinimum: 0,
        },
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

  return describe(pluginEndpoints, {
    schemas: [pluginConfigurationSchemas, pluginExecutionSchemas, pluginSchemas],
    params: { 'plugins/:name': { description: 'The plugin.', schema: pluginSchemas.PluginName } },
    operations: {
      listPlugins: {
        query: { type: 'NEURON' },
        answer: { plugins: [summary], total: 1, refused: [] },
      },
      getPlugin: { params, answer: record },
      getConfiguration: {
        params,
        answer: { schema: record.configuration_schema, values: record.configuration },
      },
      putConfiguration: {
        params,
        body: { values: { tau: 20 } },
        answer: record,
      },
      activatePlugin: { params, answer: record },
      deactivatePlugin: { params, answer: { ...record, status: 'INACTIVE' } },
      executePlugin: {
        params,
        body: { inputs: { current: { shape: [2, 2], data: [0, 2, 0, 5] } } },
        answer: {
          outputs: { spikes: { shape: [2, 2], data: [0, 1, 0, 1] } },
          duration_ms: 1.2,
        },
      },
      pluginLogs: {
        params,
        query: { after: '0', limit: '100' },
        answer: {
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
  });
};

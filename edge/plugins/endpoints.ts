import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import * as pluginConfigurationSchemas from './contract/configuration.ts';
import { ConfigurationChange, PluginConfiguration } from './contract/configuration.ts';
import * as pluginExecutionSchemas from './contract/execution.ts';
import { ExecuteAnswer, ExecuteRequest, MAX_EXECUTE_BYTES } from './contract/execution.ts';
import * as pluginSchemas from './contract/plugin.ts';
import {
  PluginList,
  PluginLogs,
  PluginName,
  PluginRecord,
  PluginStatus,
  type PluginSummary,
  PluginType,
} from './contract/plugin.ts';
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
  listPlugins: {
    method: 'GET',
    path: '/plugins',
    summary: 'The plugins of this host, and what it found but could not use.',
    access: 'authenticated',
    query: z.strictObject({ type: z.optional(PluginType), status: z.optional(PluginStatus) }),
    responses: { 200: PluginList },
  },
  getPlugin: {
    method: 'GET',
    path: '/plugins/:name',
    summary: 'One plugin with its metadata, its configuration and its ports.',
    access: 'authenticated',
    query: z.strictObject({}),
    responses: { 200: PluginRecord },
    problems: ['plugin_not_found'],
  },
  getConfiguration: {
    method: 'GET',
    path: '/plugins/:name/configuration',
    summary: 'The settings of a plugin and the schema a form is made from.',
    access: 'authenticated',
    query: z.strictObject({}),
    responses: { 200: PluginConfiguration },
    problems: ['plugin_not_found'],
  },
  putConfiguration: {
    method: 'PUT',
    path: '/plugins/:name/configuration',
    summary: 'Gives a plugin new settings; one that runs is begun anew with them.',
    access: 'admin',
    body: ConfigurationChange,
    responses: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  activatePlugin: {
    method: 'POST',
    path: '/plugins/:name/activate',
    summary:
      'Initializes a plugin where needed and activates it; how one that failed is tried again.',
    access: 'admin',
    responses: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  deactivatePlugin: {
    method: 'POST',
    path: '/plugins/:name/deactivate',
    summary: 'Deactivates a plugin; refused while an active one depends on it.',
    access: 'admin',
    responses: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  executePlugin: {
    method: 'POST',
    path: '/plugins/:name/execute',
    summary: 'Executes an active plugin once.',
    access: 'admin',
    body: ExecuteRequest,
    maxBodyBytes: MAX_EXECUTE_BYTES,
    responses: { 200: ExecuteAnswer },
    problems: [
      'plugin_not_found',
      'plugin_state',
      'plugin_failed',
      'payload_too_large',
      'overloaded',
    ],
  },
  pluginLogs: {
    method: 'GET',
    path: '/plugins/:name/logs',
    summary: 'The latest lines a plugin wrote, and what became of it.',
    access: 'authenticated',
    query: z.strictObject({
      after: z.prefault(LineNumber, '0'),
      limit: z.prefault(LineCount, '100'),
    }),
    responses: { 200: PluginLogs },
    problems: ['plugin_not_found'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const pluginDocs = () => {
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
    params: { 'plugins/:name': { description: 'The plugin.', schema: PluginName } },
    operations: {
      listPlugins: {
        query: { type: 'NEURON' },
        responses: { 200: { plugins: [summary], total: 1, refused: [] } },
      },
      getPlugin: { params, query: {}, responses: { 200: record } },
      getConfiguration: {
        params,
        query: {},
        responses: {
          200: { schema: record.configuration_schema, values: record.configuration },
        },
      },
      putConfiguration: {
        params,
        body: { values: { tau: 20 } },
        responses: { 200: record },
      },
      activatePlugin: { params, responses: { 200: record } },
      deactivatePlugin: { params, responses: { 200: { ...record, status: 'INACTIVE' } } },
      executePlugin: {
        params,
        body: { inputs: { current: { shape: [2, 2], data: [0, 2, 0, 5] } } },
        responses: {
          200: {
            outputs: { spikes: { shape: [2, 2], data: [0, 1, 0, 1] } },
            duration_ms: 1.2,
          },
        },
      },
      pluginLogs: {
        params,
        query: { after: '0', limit: '100' },
        responses: {
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
    },
  });
};

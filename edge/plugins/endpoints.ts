import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { ConfigurationChange, PluginConfiguration } from './contract/configuration.ts';
import { ExecuteAnswer, ExecuteRequest, MAX_EXECUTE_BYTES } from './contract/execution.ts';
import {
  PluginList,
  PluginLogs,
  PluginRecord,
  PluginStatus,
  PluginType,
} from './contract/plugin.ts';

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
    answers: { 200: PluginList },
  },
  getPlugin: {
    method: 'GET',
    path: '/plugins/:name',
    summary: 'One plugin with its metadata, its configuration and its ports.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: PluginRecord },
    problems: ['plugin_not_found'],
  },
  getConfiguration: {
    method: 'GET',
    path: '/plugins/:name/configuration',
    summary: 'The settings of a plugin and the schema a form is made from.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: PluginConfiguration },
    problems: ['plugin_not_found'],
  },
  putConfiguration: {
    method: 'PUT',
    path: '/plugins/:name/configuration',
    summary: 'Gives a plugin new settings; one that runs is begun anew with them.',
    access: 'admin',
    body: ConfigurationChange,
    answers: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  activatePlugin: {
    method: 'POST',
    path: '/plugins/:name/activate',
    summary:
      'Initializes a plugin where needed and activates it; how one that failed is tried again.',
    access: 'admin',
    answers: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  deactivatePlugin: {
    method: 'POST',
    path: '/plugins/:name/deactivate',
    summary: 'Deactivates a plugin; refused while an active one depends on it.',
    access: 'admin',
    answers: { 200: PluginRecord },
    problems: ['plugin_not_found', 'plugin_state', 'plugin_failed'],
  },
  executePlugin: {
    method: 'POST',
    path: '/plugins/:name/execute',
    summary: 'Executes an active plugin once.',
    access: 'admin',
    body: ExecuteRequest,
    maxBodyBytes: MAX_EXECUTE_BYTES,
    answers: { 200: ExecuteAnswer },
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
    answers: { 200: PluginLogs },
    problems: ['plugin_not_found'],
  },
} as const satisfies Endpoints;

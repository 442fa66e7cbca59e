import { pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import type { ExecuteAnswer } from '../../edge/plugins/contract/execution.ts';
import type { PluginRecord } from '../../edge/plugins/contract/plugin.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { routesOf } from '../../edge/http/route.ts';
import {
  type BasePlugin,
  EngineError,
  type PluginManager,
  type PluginReport,
  pluginSummary,
  secretSettings,
  shownConfiguration,
} from '../../engine/index.ts';
import { inputsOf, outputsOf, recordOf } from './wire.ts';

/** Calls a work when it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Dependencies of the handlers of a plugin host. */
export interface PluginHostEnv {
  readonly manager: PluginManager;
  /** Bounds the executions at a time. */
  readonly turns: Turns;
}

interface Found {
  readonly plugin: BasePlugin;
  readonly report: PluginReport;
}

/** @throws Problem plugin_not_found */
function find({ manager }: PluginHostEnv, name: string): Found {
  const plugin = manager.findPlugin(name);
  const report = plugin && manager.inspectPlugin(plugin);
  if (plugin && report) return { plugin, report };
  throw new Problem('plugin_not_found', `There is no plugin named ${name}.`);
}

export const pluginRoutes = routesOf<PluginHostEnv, typeof pluginEndpoints>(pluginEndpoints, {
  listPlugins({ env, query: { type, status } }) {
    const plugins = env.manager
      .listPlugins()
      .map(pluginSummary)
      .filter((one) => type === undefined || one.type === type)
      .filter((one) => status === undefined || one.status === status);
    return {
      status: 200,
      body: { plugins, total: plugins.length, refused: [...env.manager.refused] },
    };
  },
  getPlugin: ({ env, params }) => ({ status: 200, body: recordOf(find(env, params.name).report) }),
  getConfiguration({ env, params }) {
    const { report } = find(env, params.name);
    const { configuration_schema: schema } = recordOf(report);
    return { status: 200, body: { schema, values: shownConfiguration(report) } };
  },
  putConfiguration: async ({ env, params, body }) => ({
    status: 200,
    body: await configure(env, params.name, body.values),
  }),
  activatePlugin: async ({ env, params }) => ({
    status: 200,
    body: await activate(env, params.name),
  }),
  deactivatePlugin: async ({ env, params }) => ({
    status: 200,
    body: await deactivate(env, params.name),
  }),
  executePlugin: async ({ env, params, body }) => ({
    status: 200,
    body: await execute(env, params.name, body.inputs),
  }),
  pluginLogs({ env, params, query: { after, limit } }) {
    const lines = env.manager.logsOf(find(env, params.name).plugin, after).slice(0, limit);
    const logs = lines.map(({ at, ...line }) => ({
      ...line,
      timestamp: new Date(at).toISOString(),
    }));
    return { status: 200, body: { logs, latest_seq: logs.at(-1)?.seq ?? after } };
  },
});

async function configure(
  env: PluginHostEnv,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<PluginRecord> {
  const { plugin, report } = find(env, name);
  const values = { ...keptSecrets(report, given), ...withoutEmptySecrets(report, given) };
  const faults = env.manager.configurationFaults(plugin, values);
  const [first] = faults;
  if (first) {
    const errors = faults.map(({ name: setting, detail }) => ({
      pointer: `/values/${setting}`,
      code: 'invalid_value',
      detail,
    }));
    throw new Problem('validation_failed', `/values/${first.name}: ${first.detail}`, { errors });
  }
  if (await env.manager.configurePlugin(plugin, values)) return recordOf(find(env, name).report);
  throw failed(env, plugin, name);
}

/** A form that was shown an empty secret sends it back empty: it stays what it was. */
function keptSecrets(report: PluginReport, given: Readonly<Record<string, unknown>>) {
  const { metadata, configuration } = report;
  return Object.fromEntries(
    secretSettings(metadata.configuration)
      .filter((name) => (given[name] ?? '') === '')
      .map((name) => [name, configuration[name] ?? '']),
  );
}

function withoutEmptySecrets(
  { metadata }: PluginReport,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const secrets = secretSettings(metadata.configuration);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== '' || !secrets.includes(name)),
  );
}

async function activate(env: PluginHostEnv, name: string): Promise<PluginRecord> {
  const { plugin, report } = find(env, name);
  const { manager } = env;
  const isReady = ['INITIALIZED', 'INACTIVE', 'ACTIVE'].includes(report.status);
  const isUp =
    (isReady || (await manager.initializePlugin(plugin))) && (await manager.activatePlugin(plugin));
  if (isUp) return recordOf(find(env, name).report);
  throw failed(env, plugin, name);
}

async function deactivate(env: PluginHostEnv, name: string): Promise<PluginRecord> {
  const { plugin } = find(env, name);
  if (await env.manager.deactivatePlugin(plugin)) return recordOf(find(env, name).report);
  throw failed(env, plugin, name);
}

/** A plugin that went into ERROR has failed; everything else was not to be done in its status. */
function failed({ manager }: PluginHostEnv, plugin: BasePlugin, name: string): Problem {
  const isBroken = manager.inspectPlugin(plugin)?.status === 'ERROR';
  const reason = manager.reasonOf(plugin);
  return new Problem(isBroken ? 'plugin_failed' : 'plugin_state', `${name}: ${reason}.`);
}

const CODES = {
  'invalid-setting': 'validation_failed',
  'shape-mismatch': 'validation_failed',
  'signal-invalid': 'validation_failed',
  'out-of-memory': 'overloaded',
  'plugin-refused': 'plugin_state',
  'plugin-failed': 'plugin_failed',
} as const;

async function execute(
  env: PluginHostEnv,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ExecuteAnswer> {
  const { plugin, report } = find(env, name);
  const started = performance.now();
  try {
    const inputs = inputsOf(report.metadata.inputs, given);
    const outputs = await env.turns(() => env.manager.executePlugin(plugin, inputs));
    return {
      outputs: outputsOf(outputs) as ExecuteAnswer['outputs'],
      duration_ms: performance.now() - started,
    };
  } catch (error) {
    if (!(error instanceof EngineError) || !(error.code in CODES)) throw error;
    throw new Problem(CODES[error.code as keyof typeof CODES], `${error.message}.`);
  }
}

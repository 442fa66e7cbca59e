import { ownProblem } from '../../edge/contract/problem-error.ts';
import { createCaller, type Caller } from '../workers/calls.ts';
import { startWorker } from '../workers/start-worker.ts';
import type { PluginCalls, PluginSource } from './plugin-source.ts';

let caller: Caller<PluginCalls> | undefined;

/** The worker starts when it is first asked something, and lives as long as the page. */
const ask: Caller<PluginCalls>['ask'] = (what, question) => {
  caller ??= createCaller(startWorker('plugins'));
  return caller.ask(what, question);
};

/** The built-in plugins, as they run in this tab. */
export const tabSource: PluginSource = {
  list: () => ask('list', null),
  async get(name) {
    const { plugins } = await ask('list', null);
    if (plugins.some((plugin) => plugin.name === name)) return ask('get', name);
    throw ownProblem('plugin_not_found', `There is no plugin named ${name} in this tab.`);
  },
  logs: (name) => ask('logs', name),
  configure: (name, values) => ask('configure', { name, values }),
  activate: (name) => ask('activate', name),
  deactivate: (name) => ask('deactivate', name),
};

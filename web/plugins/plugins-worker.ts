import { createBuiltInPlugins, openBackend, PluginManager } from '../../engine/index.ts';
import { wasmThreads } from '../api/device.ts';
import { answerCalls } from '../workers/calls.ts';
import { tabHandlers } from './tab-host.ts';

/** The built-in plugins in this tab; a device is opened when one of them first asks for it. */
const manager = new PluginManager({
  openBackend: () => openBackend('auto', { gpu: navigator.gpu, threads: wasmThreads() }),
});
for (const plugin of createBuiltInPlugins()) manager.registerPlugin(plugin);
answerCalls(tabHandlers(manager));

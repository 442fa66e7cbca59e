import { parentPort, workerData } from 'node:worker_threads';
import { PluginTasks } from './plugin-tasks.ts';
import type { FromThread, ThreadData, ToThread } from './thread-protocol.ts';
import { buildWalls } from './thread-walls.ts';

/** A thread that holds one plugin and nothing else. */
const port = parentPort;
if (!port) throw new Error('plugin-thread.ts runs in a worker thread');
const tell = (message: FromThread) => port.postMessage(message);
// Structured cloning takes what the loader put in.
const data = workerData as ThreadData;

try {
  buildWalls(data);
  const module: unknown = await import(new URL(data.entry, data.folderUrl).href);
  const tasks = await PluginTasks.open(module, tell);
  port.on('message', (message: ToThread) => tasks.receive(message));
  tell({ kind: 'ready', metadata: tasks.metadata });
} catch (error) {
  tell({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) });
}

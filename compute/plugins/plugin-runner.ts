import { MessageReader, encodeMessage } from './message-codec.ts';
import { PluginTasks } from './plugin-tasks.ts';
import type { FromPlugin, ToPlugin } from './plugin-protocol.ts';

/** The module that a plugin imports as `spikegrid`; its runner is the same one, as both share its classes. */
export * from './plugin-api.ts';

/** How a plugin and its host talk, in whatever runtime it is. */
interface Line {
  readonly input: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): unknown;
}

/** Loads a plugin and does what its host asks until that hangs up. */
export async function runPlugin(
  { input, write }: Line,
  load: () => Promise<unknown>,
): Promise<void> {
  const tell = (message: FromPlugin) => {
    for (const bytes of encodeMessage(message)) write(bytes);
  };
  const tasks = await opened(load, tell);
  const reader = new MessageReader();
  // Read on where it was refused, too: workerd takes one that waits for nothing for hung.
  for await (const bytes of input) {
    // Messages of the host have the form that their types say.
    for (const message of reader.push(bytes)) tasks?.receive(message as ToPlugin);
  }
}

async function opened(
  load: () => Promise<unknown>,
  tell: (message: FromPlugin) => void,
): Promise<PluginTasks | undefined> {
  try {
    const tasks = await PluginTasks.open(await load(), tell);
    tell({ kind: 'ready', metadata: tasks.metadata });
    return tasks;
  } catch (error) {
    tell({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

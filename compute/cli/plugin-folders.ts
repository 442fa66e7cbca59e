import type { Command } from 'commander';

/** The option that names folders with plugins; it may be repeated. */
export function pluginFolders(command: Command): Command {
  const add = (dir: string, before: readonly string[]) => [...before, dir];
  return command.option('--plugins <dir>', 'a folder of plugins, or a plugin; may be repeated', add, []);
}

import type { Command } from 'commander';

/** Folders with plugins, and what they may do. */
export interface PluginFlags {
  readonly plugins: readonly string[];
  readonly grant: readonly string[];
}

const add = (given: string, before: readonly string[]) => [...before, given];

/** The options that name folders with plugins and let some of them use the network. */
export function pluginFolders(command: Command): Command {
  return command
    .option('--plugins <dir>', 'a folder of plugins, or a plugin; may be repeated', add, [])
    .option(
      '--grant <name=network>',
      'grant a requested network permission to this plugin; may be repeated',
      add,
      [],
    );
}

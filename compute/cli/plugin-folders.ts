import type { Command } from 'commander';

const add = (dir: string, before: readonly string[]) => [...before, dir];

/** The option that names folders with plugins; it may be repeated. */
export function pluginFolders(command: Command): Command {
  return command.option(
    '--plugins <dir>',
    'a folder of plugins, or a plugin; may be repeated',
    add,
    [],
  );
}

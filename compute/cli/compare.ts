import { Command } from 'commander';
import { compareFolders, type CompareOptions } from '../runs/compare-folders.ts';
import { writeLine } from './write-line.ts';

export function compareCommand(): Command {
  return new Command('compare')
    .argument('<runs...>', 'folders of runs, as train and the library write them')
    .option('--html <file>', 'write tables and curves as a page')
    .option('--svg <file>', 'write the curves as a picture')
    .action(async (folders: string[], options: CompareOptions) => {
      await writeLine(await compareFolders(folders, options));
    });
}

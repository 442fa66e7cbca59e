import '../process/direct-imports.ts';
import { Archive } from './archive.ts';
import { backUp } from './backup.ts';
import { runCommand, stored } from './command.ts';

/** `npm run backup`: reads everything that is stored on a platform into a folder. */
await runCommand({
  name: 'backup',
  summary: 'Read everything that is stored on a platform into a folder.',
  folder: ['--out <folder>', 'a new folder, or one whose backup was interrupted'],
  mayBeNew: false,
  async run(platform, folder, progress) {
    const manifest = await backUp(platform, new Archive(folder), progress);
    return `backed up to ${folder}: ${stored(manifest)}`;
  },
});

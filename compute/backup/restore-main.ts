import '../process/direct-imports.ts';
import { Archive } from './archive.ts';
import { runCommand, stored } from './command.ts';
import { restore } from './restore.ts';

/** `npm run restore`: puts a backup onto a platform that holds nothing yet. */
await runCommand({
  name: 'restore',
  summary: 'Put a backup onto a platform that holds nothing yet.',
  folder: ['--from <folder>', 'the folder of a complete backup'],
  mayBeNew: true,
  async run(platform, folder, progress) {
    const manifest = await restore(platform, new Archive(folder), progress);
    return `restored from ${folder}: ${stored(manifest)}`;
  },
});

import { Archive } from './archive.ts';
import { backUp } from './backup.ts';
import { type BackupCommand, runCommand, stored } from './command.ts';
import { restore } from './restore.ts';

/** `npm run backup` and `npm run restore`, by the first argument. */
const backup: BackupCommand = {
  name: 'backup',
  summary: 'Back up everything a platform stores to a folder.',
  folder: ['--out <folder>', 'a new folder, or one whose backup was interrupted'],
  mayBeNew: false,
  async run(platform, folder, progress) {
    const manifest = await backUp(platform, new Archive(folder), progress);
    return `backed up to ${folder}: ${stored(manifest)}`;
  },
};

const restoration: BackupCommand = {
  name: 'restore',
  summary: 'Restore a backup to an empty platform.',
  folder: ['--from <folder>', 'the folder of a complete backup'],
  mayBeNew: true,
  async run(platform, folder, progress) {
    const manifest = await restore(platform, new Archive(folder), progress);
    return `restored from ${folder}: ${stored(manifest)}`;
  },
};

await runCommand(process.argv[2] === 'restore' ? restoration : backup);

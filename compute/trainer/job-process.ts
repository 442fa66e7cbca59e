import { join } from 'node:path';
import { serveJob, type ToJob } from '../../trainer/index.ts';
import { openTokenFile } from '../checkpoints/token-file.ts';
import { openNodeDevice } from '../cli/open-device.ts';
import { STOP_SIGNALS } from '../process/stop-signals.ts';
import { createDatasetCache } from './dataset-cache.ts';
import type { JobSetting } from './job-files.ts';
import { createJobFiles } from './job-files.ts';

/** One job in a process of its own: what blocks, crashes or eats memory here harms no other. */
const { roots, device } = JSON.parse(process.argv[2] ?? '{}') as JobSetting;

// Ctrl-C reaches the whole group; the trainer says what becomes of the job.
for (const signal of STOP_SIGNALS) process.on(signal, () => {});
// Without a trainer there is no lease, and nothing that is done here counts.
process.on('disconnect', () => process.exit());

const receive = serveJob(
  {
    openBackend: () => openNodeDevice(device),
    cache: createDatasetCache(join(roots.output, '.datasets')),
    variables: process.env,
    openTokens: () => openTokenFile(join(roots.output, '.tokens')),
    filesOf: (team) => createJobFiles(roots, team),
  },
  (message) => process.send?.(message),
);
process.on('message', (message: ToJob) => receive(message));

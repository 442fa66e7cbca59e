import { openNodeDevice } from '../cli/open-device.ts';
import type { JobSetting } from './job-files.ts';

/** Opens the device requested of a trainer, prints its description, and exits. */
const flags = JSON.parse(process.argv[2] ?? '{}') as JobSetting['device'];
try {
  const backend = await openNodeDevice(flags);
  process.send?.({ device: backend.device });
} catch (error) {
  process.send?.({ refusal: error instanceof Error ? error.message : String(error) });
}
process.disconnect();
process.exit();

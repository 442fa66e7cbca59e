import { openNodeDevice } from '../cli/open-device.ts';
import type { JobSetting } from './job-child.ts';

/** Opens the device a trainer was asked for, tells what it is, and ends. */
const flags = JSON.parse(process.argv[2] ?? '{}') as JobSetting['device'];
try {
  const backend = await openNodeDevice(flags);
  process.send?.({ device: backend.device });
} catch (error) {
  process.send?.({ refusal: error instanceof Error ? error.message : String(error) });
}
process.disconnect();
process.exit();

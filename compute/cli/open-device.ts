import { type Backend, type DeviceChoice, openBackend } from '../../engine/index.ts';
import { openNodeGpu } from '../gpu/node-gpu.ts';

/** Opens a device in Node. Throws EngineError `no-adapter` that says what was found. */
export async function openNodeDevice(device: DeviceChoice): Promise<Backend> {
  return openBackend(device, { gpu: device === 'reference' ? undefined : await openNodeGpu() });
}

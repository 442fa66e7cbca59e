import { type Backend, type DeviceChoice, openBackend } from '../../engine/index.ts';
import { openNodeGpu } from '../gpu/node-gpu.ts';

/** Opens a device in Node. Throws EngineError `no-adapter` that says what was found. */
export async function openNodeDevice(
  device: DeviceChoice,
  { f16 = false }: { readonly f16?: boolean } = {},
): Promise<Backend> {
  const gpu = device === 'reference' ? undefined : await openNodeGpu();
  return openBackend(device, { gpu, halfPrecision: f16 });
}

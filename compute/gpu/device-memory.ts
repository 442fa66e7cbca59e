import { totalmem } from 'node:os';
import type { DeviceDescription } from '../../engine/index.ts';
import { queryGpuMemory } from './gpu-memory.ts';

/** Memory of the device that trains, as far as it is known. */
export interface DeviceMemory {
  readonly gpuIndex: number | null;
  readonly gpuName: string | null;
  readonly totalBytes: number | null;
  readonly freeBytes: number | null;
  /** The largest single block, where the adapter limits it. */
  readonly maxBlockBytes: number | null;
}

/** WASM addresses no more than this. */
export const WASM_BYTES = 2 ** 32;

/**
 * The memory of a GPU as its driver tells it, of WASM as the system does. Memory of several GPUs is
 * never added up.
 */
export async function deviceMemory(
  device: DeviceDescription,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DeviceMemory> {
  const maxBlockBytes = device.maxBlockBytes ?? null;
  if (!device.isHardware) {
    const most = device.backend === 'wasm' ? WASM_BYTES : Infinity;
    return { gpuIndex: null, gpuName: null, maxBlockBytes, ...systemMemory(most) };
  }
  const gpu = await queryGpuMemory(environment);
  if (!gpu) return { ...NOTHING_KNOWN, gpuName: device.label, maxBlockBytes };
  const { index, name, totalBytes, freeBytes } = gpu;
  return { gpuIndex: index, gpuName: name, totalBytes, freeBytes, maxBlockBytes };
}

const NOTHING_KNOWN = { gpuIndex: null, totalBytes: null, freeBytes: null } as const;

/** Of this machine, or of the control group that this process may use. */
function systemMemory(mostBytes: number) {
  // Unlimited is reported as 0 or as more than there can be.
  const limit = process.constrainedMemory() || Infinity;
  return {
    totalBytes: Math.min(totalmem(), limit, mostBytes),
    freeBytes: Math.min(process.availableMemory(), mostBytes),
  };
}

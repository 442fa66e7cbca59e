import type { Capacity } from '../../edge/training/contract/capacity.ts';
import {
  marginOf,
  requiredBytesOn,
  reserveOn,
} from '../../edge/training/contract/required-bytes.ts';
import type { MemoryBreakdown } from '../../engine/index.ts';
import type { DeviceMemory } from './device-memory.ts';

/**
 * Whether a planned run fits a device, and how that is known (spec: capacity check). `checked` is
 * `limits_only` where only the largest block that the adapter allows is known, and false where nothing
 * is: neither refuses more than it knows.
 */
export function checkCapacity(plan: MemoryBreakdown, device: DeviceMemory): Capacity {
  const { gpuIndex, gpuName, totalBytes, freeBytes, maxBlockBytes } = device;
  const { parameters, gradients, optimiser, arena } = plan;
  const planned = parameters + gradients + optimiser + arena;
  const required = requiredBytesOn(planned, totalBytes);
  const fitsBlock = maxBlockBytes === null || largestBlock(plan) <= maxBlockBytes;
  const isUnknown = freeBytes === null && maxBlockBytes === null;
  return {
    checked: freeBytes !== null || (isUnknown ? false : 'limits_only'),
    fits: fitsBlock && (freeBytes === null || required <= freeBytes),
    gpu_index: gpuIndex,
    gpu_name: gpuName,
    free_bytes: freeBytes,
    required_bytes: required,
    breakdown: { ...plan, margin: marginOf(planned), reserve: reserveOn(totalBytes) },
  };
}

/** Each of these is one buffer of the device; the arena holds what lasts beside it. */
function largestBlock({ parameters, gradients, optimiser }: MemoryBreakdown): number {
  return Math.max(parameters, gradients, optimiser);
}

import { EngineError } from '../errors.ts';
import type { Backend } from './backend.ts';
import { openReferenceBackend } from './reference/reference-backend.ts';
import { openWebGpuBackend, type WebGpuOptions } from './webgpu/webgpu-backend.ts';

export const DEVICES = ['auto', 'webgpu', 'reference'] as const;
export type DeviceChoice = (typeof DEVICES)[number];

/** Reads a device's name. Throws EngineError `unknown-device` naming it and the known ones. */
export function parseDevice(name: string): DeviceChoice {
  const found = DEVICES.find((device) => device === name);
  if (found) return found;
  throw new EngineError(
    'unknown-device',
    `unknown device "${name}": expected ${DEVICES.join(', ')}`,
  );
}

/**
 * Opens a device: `webgpu` takes the best adapter there is, `reference` computes in float64 on one
 * core. `auto` is WebGPU. Throws EngineError `no-adapter` that says what was found.
 */
export async function openBackend(choice: DeviceChoice, options: WebGpuOptions): Promise<Backend> {
  if (choice !== 'reference') return openWebGpuBackend(options);
  if (!options.halfPrecision) return openReferenceBackend();
  throw new EngineError(
    'invalid-setting',
    'half precision was asked for on the reference: expected a GPU with shader-f16',
  );
}

import { type Backend, type DeviceChoice, openBackend } from '../../engine/index.ts';
import { openNodeGpu } from './node-gpu.ts';

/** Options of a device in Node; each kind reads those that concern it. */
export interface NodeDeviceOptions {
  /** Threads of WASM; all cores by default. */
  readonly threads?: number;
  /** WASM with the same digits on every machine: no fused multiply-add. */
  readonly deterministic?: boolean;
  /** Refuse an adapter that runs on the processor. */
  readonly requireHardware?: boolean;
}

/**
 * Opens a device in Node, with a GPU where the optional package `webgpu` is installed: `auto` takes a GPU
 * where there is one, else WASM on all cores. Throws EngineError `no-adapter` that says what was found, and
 * `invalid-setting` for options that the device cannot meet.
 */
export async function openNodeDevice(
  choice: DeviceChoice = 'auto',
  options: NodeDeviceOptions = {},
): Promise<Backend> {
  const mayBeGpu = choice === 'auto' || choice === 'webgpu';
  return openBackend(choice, { ...options, gpu: mayBeGpu ? await openNodeGpu() : undefined });
}

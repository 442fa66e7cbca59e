import { EngineError } from '../errors.ts';
import type { Backend } from '../graph/backend.ts';
import type { DeviceChoice } from './device-choice.ts';
import type { WasmOptions } from './wasm/wasm-backend.ts';
import { openDevice, type WebGpuOptions } from './webgpu/open-device.ts';

/** Options of all devices; each reads those that concern it. `requireHardware` refuses all but a GPU. */
type DeviceOptions = WebGpuOptions & WasmOptions;

/**
 * Opens a device. `auto` takes a GPU where there is one, else WASM on all cores; `webgpu` the best
 * adapter there is, even one that runs on the processor; `reference` computes in float64 on one core.
 * Throws EngineError `no-adapter` that says what was found, and `invalid-setting` for options that
 * the device cannot meet.
 */
export async function openBackend(choice: DeviceChoice, options: DeviceOptions): Promise<Backend> {
  const wantsGpu = options.requireHardware === true || options.halfPrecision === true;
  switch (choice) {
    case 'auto':
      return wantsGpu ? openWebGpu(options) : openFastest(options);
    case 'webgpu':
      return openWebGpu(options);
    default:
      if (wantsGpu) throw notOn(choice, options);
      return choice === 'wasm' ? openWasm(options) : openReference();
  }
}

/** A GPU, or else the processor: WASM is many times faster there than an adapter that runs on it. */
async function openFastest(options: DeviceOptions): Promise<Backend> {
  try {
    return await openWebGpu({ ...options, requireHardware: true });
  } catch (error) {
    if (error instanceof EngineError && error.code === 'no-adapter') return openWasm(options);
    throw error;
  }
}

// Each is loaded when it is opened: a program has one of them, and a page without a GPU need not load what drives it.
async function openWebGpu(options: WebGpuOptions): Promise<Backend> {
  const opened = await openDevice(options);
  return (await import('./webgpu/webgpu-backend.ts')).backendOn(opened);
}

const openWasm = async (options: WasmOptions): Promise<Backend> =>
  (await import('./wasm/wasm-backend.ts')).openWasmBackend(options);
const openReference = async (): Promise<Backend> =>
  (await import('./reference/reference-backend.ts')).openReferenceBackend();

function notOn(choice: 'wasm' | 'reference', { halfPrecision }: DeviceOptions): EngineError {
  const device = choice === 'wasm' ? 'WASM' : 'the reference';
  return new EngineError(
    'invalid-setting',
    halfPrecision
      ? `half precision was asked for on ${device}: expected a GPU with shader-f16`
      : `a GPU was asked for but the device is ${device}: expected auto or webgpu`,
  );
}

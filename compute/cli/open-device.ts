import type { Command } from 'commander';
import { type Backend, DEVICES, openBackend, parseDevice } from '../../engine/index.ts';
import { openNodeGpu } from '../gpu/node-gpu.ts';
import { numberOption } from './numbers.ts';

/** The flags that choose a device, as commander parses them. */
export interface DeviceFlags {
  readonly device: string;
  readonly gpu?: boolean;
  readonly f16?: boolean;
  readonly threads?: number;
  readonly deterministic?: boolean;
}

const [first, ...others] = DEVICES.toReversed();
const NAMES = `${others.toReversed().join(', ')} or ${first}`;

export function deviceOptions(command: Command): Command {
  return command
    .option('--device <name>', `${NAMES}; auto is a GPU, else WASM on all cores`, 'auto')
    .option('--gpu', 'refuse to run on anything but a GPU')
    .option('--f16', 'hold products in half precision (GPUs with shader-f16)')
    .option('--threads <n>', 'threads of the WASM backend (default: all cores)', numberOption)
    .option('--deterministic', 'the same digits on every machine (WASM)');
}

/**
 * Opens the device that the flags ask for. Throws EngineError `unknown-device`, `invalid-setting`, or
 * `no-adapter` that says what was found.
 */
export async function openNodeDevice(flags: DeviceFlags): Promise<Backend> {
  return openBackend(parseDevice(flags.device), {
    gpu: mayBeGpu(flags) ? await openNodeGpu() : undefined,
    ...(flags.gpu && { requireHardware: true }),
    ...(flags.f16 && { halfPrecision: true }),
    ...(flags.threads !== undefined && { threads: flags.threads }),
    ...(flags.deterministic && { deterministic: true }),
  });
}

/** Whether the flags may lead to a GPU and its driver. Throws EngineError `unknown-device`. */
export function mayBeGpu(flags: DeviceFlags): boolean {
  const device = parseDevice(flags.device);
  return device === 'auto' || device === 'webgpu';
}

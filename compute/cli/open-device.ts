import { type Command, Option } from 'commander';
import {
  type Backend,
  type DeviceChoice,
  DEVICES,
  EngineError,
  openBackend,
  parseDevice,
} from '../../engine/index.ts';
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

/** Kinds of devices in DEVICE, besides the names of backends. */
const KINDS: Readonly<Record<string, DeviceChoice>> = { cpu: 'wasm', gpu: 'webgpu' };

const readKind = (name: string): string =>
  (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined) ?? name;

export function deviceOptions(command: Command): Command {
  return withDevice(
    command,
    new Option('--device <name>', `${NAMES}; auto is a GPU, else WASM on all cores`).default(
      'auto',
    ),
  );
}

/** The same for a service: DEVICE says it, too. Without either it is a GPU that is asked for, else the processor. */
export function serviceDeviceOptions(command: Command): Command {
  const names = `${NAMES}; or cpu or gpu, which are wasm and webgpu (default: cpu)`;
  return withDevice(command, new Option('--device <name>', names).env('DEVICE'));
}

/** The device of a service that has no other flags about it. */
export const serviceDevice = (description: string): Option =>
  new Option('--device <name>', description)
    .env('DEVICE')
    .default('wasm', 'cpu')
    .argParser(readKind);

function withDevice(command: Command, device: Option): Command {
  return command
    .addOption(device.argParser(readKind))
    .option('--gpu', 'require a GPU')
    .option('--f16', 'store products in half precision (GPUs with shader-f16)')
    .option('--threads <n>', 'use WASM with this many threads', numberOption)
    .option('--deterministic', 'use WASM with bit-identical results on every machine');
}

/**
 * Opens the device that the flags ask for. Throws EngineError `unknown-device`, `invalid-setting`, or
 * `no-adapter` that says what was found.
 */
export async function openNodeDevice(flags: DeviceFlags): Promise<Backend> {
  return openBackend(choiceOf(flags), {
    gpu: mayBeGpu(flags) ? await openNodeGpu() : undefined,
    ...(flags.gpu && { requireHardware: true }),
    ...(flags.f16 && { halfPrecision: true }),
    ...(flags.threads !== undefined && { threads: flags.threads }),
    ...(flags.deterministic && { deterministic: true }),
  });
}

/** Whether the flags may lead to a GPU and its driver. Throws EngineError `unknown-device`. */
export function mayBeGpu(flags: DeviceFlags): boolean {
  const device = choiceOf(flags);
  return device === 'auto' || device === 'webgpu';
}

/** The device of the flags. Threads and fixed digits are WASM's alone: no other device may ignore them. */
function choiceOf(flags: DeviceFlags): DeviceChoice {
  const device = parseDevice(flags.device);
  const ofWasm = flagOfWasm(flags, device);
  if (device === 'wasm' || ofWasm === undefined) return device;
  const asked = (flags.gpu && '--gpu') || (flags.f16 && '--f16') || `--device ${device}`;
  if (asked === '--device auto') return 'wasm';
  throw new EngineError(
    'invalid-setting',
    `${ofWasm} is for WASM and ${asked} is not: expected one of them`,
  );
}

function flagOfWasm({ threads, deterministic }: DeviceFlags, device: string): string | undefined {
  if (deterministic) return '--deterministic';
  // The reference has one thread, whoever says so.
  if (threads === undefined || (device === 'reference' && threads === 1)) return undefined;
  return `--threads ${threads}`;
}

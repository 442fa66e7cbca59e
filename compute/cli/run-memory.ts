import {
  type DeviceDescription,
  EngineError,
  requireRoom,
  type RunSettings,
  type TrainingPlan,
} from '../../engine/index.ts';
import { deviceMemory, WASM_BYTES } from '../gpu/device-memory.ts';
import { givenFields } from './field-flags.ts';
import type { TrainOptions } from './train-options.ts';

interface Planned {
  readonly device: DeviceDescription;
  readonly plan: (settings: RunSettings) => TrainingPlan;
}

const GIBIBYTE = 2 ** 30;

/**
 * Refuses a run that takes more than its device has, or than `--memory` says, before anything is made of it.
 * Throws EngineError `out-of-memory`, `invalid-setting`.
 */
export async function requireMemory(
  options: TrainOptions,
  settings: RunSettings,
  { device, plan }: Planned,
): Promise<void> {
  const { memory, batchSize } = options;
  if (memory !== undefined && !(memory > 0)) {
    throw new EngineError('invalid-setting', `--memory is ${memory}: expected more than 0 GiB`);
  }
  const { freeBytes } = await deviceMemory(device, process.env);
  const found = memory === undefined ? freeBytes : memory * GIBIBYTE;
  // Nothing is known of a GPU whose driver does not tell: it refuses what it cannot hold.
  if (found === null) return;
  const given = [
    ...(batchSize === undefined ? [] : ['batch_size']),
    ...Object.keys(givenFields(options)),
  ];
  const ofDevice = device.backend === 'wasm' && found === WASM_BYTES ? 'WASM' : 'this machine';
  const place = memory === undefined ? ofDevice : '--memory';
  // The reference computes in numbers of twice the size.
  const share = device.backend === 'reference' ? 2 : 1;
  requireRoom(plan, settings, { freeBytes: found / share, place, given });
}

import { once } from 'node:events';
import { availableParallelism, hostname, loadavg } from 'node:os';
import { Category, ModelType } from '../../edge/training/contract/family-schemas.ts';
import type { TrainerDevice } from '../../edge/training/contract/trainer.ts';
import { type DeviceDescription, EngineError } from '../../engine/index.ts';
import type { TrainerFacts } from '../../trainer/index.ts';
import { type DeviceFlags, mayBeGpu, openNodeDevice } from '../cli/open-device.ts';
import { deviceMemory } from '../gpu/device-memory.ts';
import { forkModule } from '../process/fork-module.ts';
import { listDatasets } from './dataset-list.ts';

export interface FactsOptions {
  readonly data: string;
  readonly device: DeviceFlags;
  readonly name?: string | undefined;
  readonly region?: string | undefined;
}

const PROBE = new URL('./device-probe.ts', import.meta.url);
const VERSION = '0.1.0';
/** The data root is looked through at most this often. */
const LIST_MS = 5000;
const MAX_LABEL = 128;

/**
 * Finds out what this machine can do.
 *
 * @throws EngineError where there is no such device
 */
export async function createNodeFacts(options: FactsOptions): Promise<() => Promise<TrainerFacts>> {
  const device = await probeDevice(options.device);
  let listed = { at: -Infinity, datasets: [] as string[] };
  return async () => {
    const now = performance.now();
    if (now - listed.at > LIST_MS) {
      listed = { at: now, datasets: await listDatasets(options.data) };
    }
    return {
      name: options.name ?? hostname(),
      kind: 'node',
      version: VERSION,
      device: await deviceOf(device),
      categories: [...Category.options],
      model_types: [...ModelType.options],
      datasets: listed.datasets,
      region_id: options.region ?? null,
      slots: 1,
      load: (loadavg()[0] ?? 0) / availableParallelism(),
    };
  };
}

/**
 * Describes the device that these flags select. One that may be a GPU is opened in a process that ends:
 * memory and threads of its driver stay out of the one that leases jobs.
 *
 * @throws EngineError where there is none
 */
export async function probeDevice(flags: DeviceFlags): Promise<DeviceDescription> {
  if (!mayBeGpu(flags)) {
    const backend = await openNodeDevice(flags);
    backend.close();
    return backend.device;
  }
  // A driver's complaints are not news: the result says which device was found.
  const child = forkModule(PROBE, flags, 'ignore');
  const crashed = once(child, 'exit').then(([code, signal]) => {
    throw new EngineError(
      'no-adapter',
      `opening the device ended a process with ${signal ?? code}`,
    );
  });
  const [answer] = await Promise.race([once(child, 'message'), crashed]);
  crashed.catch(() => undefined);
  const { device, refusal } = answer as { device?: DeviceDescription; refusal?: string };
  if (device) return device;
  throw new EngineError('no-adapter', refusal ?? 'the device did not say what it is');
}

async function deviceOf(device: DeviceDescription): Promise<TrainerDevice> {
  const memory = await deviceMemory(device, process.env);
  return {
    kind: device.isHardware ? 'gpu' : 'cpu',
    label: device.label.slice(0, MAX_LABEL),
    gpu_index: memory.gpuIndex,
    total_bytes: memory.totalBytes,
    free_bytes: memory.freeBytes,
  };
}

import { onTestFinished } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';

/** The software adapter's WebGPU, with a view of the device that the engine opens on it. */
export interface WatchedGpu {
  readonly gpu: GPU;
  /** The device opened last. */
  device(): GPUDevice;
  /** Labels of the buffers created and not destroyed yet. */
  liveBuffers(): string[];
}

/**
 * Real but for what it writes down: adapter, device and buffers are those of Dawn. `prepare` may
 * change a device before the engine sees it.
 */
export function watchedGpu(prepare: (device: GPUDevice) => void = () => {}): WatchedGpu {
  const live = new Set<GPUBuffer>();
  let opened: GPUDevice | undefined;
  const requestAdapter: GPU['requestAdapter'] = async (options) => {
    const adapter = await navigator.gpu.requestAdapter(options);
    if (!adapter) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async (descriptor) => {
      opened = await requestDevice(descriptor);
      watchBuffers(opened, live);
      prepare(opened);
      return opened;
    };
    return adapter;
  };
  return {
    gpu: { ...gpuRest, requestAdapter },
    device() {
      if (!opened) throw new Error('no device was opened');
      return opened;
    },
    liveBuffers: () => Array.from(live, ({ label }) => label),
  };
}

/** Members of GPU that the engine does not use. */
const gpuRest: Omit<GPU, 'requestAdapter'> = {
  __brand: 'GPU',
  wgslLanguageFeatures: new Set(),
  getPreferredCanvasFormat: () => 'bgra8unorm',
};

function watchBuffers(device: GPUDevice, live: Set<GPUBuffer>): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      return destroy();
    };
    live.add(buffer);
    return buffer;
  };
}

/** The engine's backend on a watched device, closed when the test is over. */
export async function openWatched(): Promise<WatchedGpu & { readonly backend: Backend }> {
  const watched = watchedGpu();
  const backend = await openWebGpuBackend({ gpu: watched.gpu });
  onTestFinished(() => backend.close());
  return { ...watched, backend };
}

import { setMaxListeners } from 'node:events';

let shared: Promise<GPUDevice> | undefined;

/**
 * WebGPU whose adapters all give one device: backends that are opened on it, by all test files of a
 * process, compile a shader that they have in common once, as compiling takes most of a test's time on
 * the software adapter. The device outlives what closes it; all else is Dawn's.
 */
export const sharedGpu: GPU = {
  __brand: 'GPU',
  wgslLanguageFeatures: new Set(),
  getPreferredCanvasFormat: () => 'bgra8unorm',
  async requestAdapter(options) {
    const adapter = await navigator.gpu.requestAdapter(options);
    if (!adapter) return null;
    const { info, limits, features } = adapter;
    const requestDevice: GPUAdapter['requestDevice'] = (descriptor) =>
      (shared ??= open(adapter, descriptor));
    return { __brand: 'GPUAdapter', info, limits, features, requestDevice };
  },
};

async function open(adapter: GPUAdapter, descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> {
  const opened = await adapter.requestDevice(descriptor);
  opened.destroy = () => undefined;
  // Every backend listens for errors, and none of them is the device's last.
  setMaxListeners(0, opened);
  compileOnce(opened);
  return opened;
}

/** Gives one pipeline for one text. */
function compileOnce(device: GPUDevice): void {
  const modules = new Map<string, GPUShaderModule>();
  const pipelines = new Map<GPUShaderModule, Promise<GPUComputePipeline>>();
  const createModule = device.createShaderModule.bind(device);
  const createPipeline = device.createComputePipelineAsync.bind(device);
  device.createShaderModule = (descriptor) => {
    const module = modules.get(descriptor.code) ?? createModule(descriptor);
    modules.set(descriptor.code, module);
    return module;
  };
  // The engine's texts have one entry point each, and all layouts are automatic.
  device.createComputePipelineAsync = (descriptor) => {
    const { module } = descriptor.compute;
    const pipeline = pipelines.get(module) ?? createPipeline(descriptor);
    pipelines.set(module, pipeline);
    return pipeline;
  };
}

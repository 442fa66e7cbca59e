/**
 * WebGPU whose adapters all give one device: backends that are opened on it one after another compile
 * a shader that they have in common once, as compiling takes most of a test's time on the software
 * adapter. All else is Dawn's; `destroy` ends the device for all of them.
 */
export function oneDevice(): { readonly gpu: GPU; destroy(): void } {
  let device: Promise<GPUDevice> | undefined;
  let destroy = () => {};
  const open = async (adapter: GPUAdapter, descriptor?: GPUDeviceDescriptor) => {
    const opened = await adapter.requestDevice(descriptor);
    destroy = opened.destroy.bind(opened);
    opened.destroy = () => undefined;
    compileOnce(opened);
    return opened;
  };
  const requestAdapter: GPU['requestAdapter'] = async (options) => {
    const adapter = await navigator.gpu.requestAdapter(options);
    if (!adapter) return null;
    const { info, limits, features } = adapter;
    const requestDevice: GPUAdapter['requestDevice'] = (descriptor) =>
      (device ??= open(adapter, descriptor));
    return { __brand: 'GPUAdapter', info, limits, features, requestDevice };
  };
  return {
    gpu: {
      __brand: 'GPU',
      wgslLanguageFeatures: new Set(),
      getPreferredCanvasFormat: () => 'bgra8unorm',
      requestAdapter,
    },
    destroy: () => destroy(),
  };
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

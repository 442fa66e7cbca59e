import { EngineError } from '../../errors.ts';
import type { DeviceDescription } from '../../graph/backend.ts';
import { chooseProfile, type DeviceProfile, isSoftware, type ProfileOptions } from './profile.ts';

export interface WebGpuOptions extends ProfileOptions {
  /** `navigator.gpu`, or what the `webgpu` package creates in Node. */
  readonly gpu: GPU | undefined;
  /** Refuse an adapter that runs on the processor. */
  readonly requireHardware?: boolean;
}

export interface OpenDevice {
  readonly device: GPUDevice;
  readonly profile: DeviceProfile;
  readonly description: DeviceDescription;
}

const WANTED_FEATURES = ['subgroups', 'shader-f16', 'timestamp-query'] as const;
const WANTED_LIMITS = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

/**
 * Opens the best adapter there is, with its largest buffers. Throws EngineError `no-adapter` that
 * says what was found.
 */
export async function openDevice(options: WebGpuOptions): Promise<OpenDevice> {
  const adapter = await requestAdapter(options);
  const { info, limits, features } = adapter;
  if (options.halfPrecision && !features.has('shader-f16')) {
    throw new EngineError(
      'invalid-setting',
      `half precision was asked for but ${nameOf(info)} has no shader-f16: expected full precision`,
    );
  }
  const device = await adapter.requestDevice({
    requiredFeatures: WANTED_FEATURES.filter((feature) => features.has(feature)),
    requiredLimits: Object.fromEntries(WANTED_LIMITS.map((limit) => [limit, limits[limit]])),
  });
  const profile = chooseProfile(device, info, options);
  return { device, profile, description: describeDevice(info, device, profile) };
}

async function requestAdapter({ gpu, requireHardware }: WebGpuOptions): Promise<GPUAdapter> {
  if (!gpu) {
    throw new EngineError(
      'no-adapter',
      'this environment has no WebGPU (navigator.gpu is missing): expected a browser or runtime that has it',
    );
  }
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) {
    throw new EngineError(
      'no-adapter',
      'WebGPU is there but offers no adapter: expected a GPU driver or a software one such as SwiftShader',
    );
  }
  if (requireHardware && isSoftware(adapter.info)) {
    throw new EngineError(
      'no-adapter',
      `a GPU was asked for but the only adapter runs on the processor: ${nameOf(adapter.info)}`,
    );
  }
  return adapter;
}

function describeDevice(
  info: GPUAdapterInfo,
  device: GPUDevice,
  profile: DeviceProfile,
): DeviceDescription {
  const software = isSoftware(info);
  const features = [
    ...(profile.subgroupLanes === undefined ? [] : ['subgroups']),
    ...(profile.halfPrecision ? ['shader-f16'] : []),
  ];
  return {
    backend: 'webgpu',
    label: software ? `WebGPU on the processor (${nameOf(info)})` : `WebGPU (${nameOf(info)})`,
    isHardware: !software,
    features,
    maxBlockBytes: Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize),
  };
}

function nameOf(info: GPUAdapterInfo): string {
  const words = [info.vendor, info.architecture, info.description || info.device];
  return words.filter((word) => word !== '').join(' ') || 'unnamed adapter';
}

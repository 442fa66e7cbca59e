/** Properties of a device that choose the variants of kernels. */
export interface DeviceProfile {
  /** `register` for processors that stand in for a GPU, `workgroup` for GPUs. */
  readonly tiling: 'register' | 'workgroup';
  /** Hold product tiles in half precision: faster on GPUs, 3e-3 relative. */
  readonly halfPrecision: boolean;
  /** Lanes of the smallest subgroup; undefined to sum rows without subgroups. */
  readonly subgroupLanes: number | undefined;
  /** Depth of the product tiles in workgroup memory. */
  readonly tileDepth: number;
  readonly maxWorkgroups: number;
}

/** SwiftShader compiles workgroup arrays in time that grows with their size: 0.1 s at 4, 0.7 s at 16. */
const TILE_DEPTH = { software: 4, hardware: 16 } as const;

/** Subgroups narrower than this are slower than one invocation a row. */
const MIN_SUBGROUP = 16;

export interface ProfileOptions {
  /** Overrides the choice by adapter. */
  readonly tiling?: DeviceProfile['tiling'];
  readonly subgroups?: boolean;
  readonly halfPrecision?: boolean;
}

/** Chooses kernel variants for a device; features count only if the device was opened with them. */
export function chooseProfile(
  device: GPUDevice,
  info: GPUAdapterInfo,
  options: ProfileOptions,
): DeviceProfile {
  const software = isSoftware(info);
  const { tiling = software ? 'register' : 'workgroup', halfPrecision = false } = options;
  return {
    tiling,
    halfPrecision: device.features.has('shader-f16') && halfPrecision,
    subgroupLanes: device.features.has('subgroups')
      ? chooseLanes(info.subgroupMinSize, tiling, options.subgroups)
      : undefined,
    tileDepth: software ? TILE_DEPTH.software : TILE_DEPTH.hardware,
    maxWorkgroups: device.limits.maxComputeWorkgroupsPerDimension,
  };
}

function chooseLanes(
  lanes: number,
  tiling: DeviceProfile['tiling'],
  wanted: boolean | undefined,
): number | undefined {
  const isWorthwhile = tiling === 'workgroup' && lanes >= MIN_SUBGROUP;
  return (wanted ?? isWorthwhile) && lanes > 0 ? lanes : undefined;
}

/** Whether the adapter runs on the processor. */
export function isSoftware(info: GPUAdapterInfo): boolean {
  const name = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return (
    info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(name)
  );
}

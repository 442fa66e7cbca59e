import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { Dispatch } from '../../engine/backends/webgpu/dispatch.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import { callOf } from './play.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';

/** Widths that are whole quads and widths that are not choose other variants. */
const SIZES = [64, 65];

/** A case names kernel, attributes and which operands there are: all a binder looks at. */
const calls = kernelNames.flatMap((kernel) =>
  SIZES.flatMap((size) => casesOf(kernel, size).map(callOf)),
);

/** Processors and GPUs, with subgroups of every width that there is. */
export const profiles: DeviceProfile[] = (['register', 'workgroup'] as const).flatMap((tiling) =>
  [undefined, 16, 32, 64].map((subgroupLanes) => ({
    tiling,
    subgroupLanes,
    halfPrecision: true,
    tileDepth: 16,
    maxWorkgroups: 65535,
  })),
);

/** One dispatch for each shader and set of conditions, or text made from equations, that a profile leads to. */
export function variantsOf(profile: DeviceProfile): Dispatch[] {
  const variants = new Map<string, Dispatch>();
  for (const call of calls) {
    const dispatch = bindCall(call, profile);
    const text = dispatch.generated?.code ?? JSON.stringify(dispatch.conditions);
    variants.set(`${dispatch.path} ${text}`, dispatch);
  }
  return [...variants.values()];
}

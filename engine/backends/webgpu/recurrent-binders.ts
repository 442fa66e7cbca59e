import type { RecurrentAttributes } from '../../graph/recurrent-kernels.ts';
import { type Binder, type Dispatch, fold, perElement, variant } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** Invocations that share the neurons of a row: on processors each costs as much as what it does. */
const FEW_LANES = 32;
const MANY_LANES = 256;

export const recurrentBinders: { readonly [K in keyof RecurrentAttributes]: Binder<K> } = {
  recurrent_lif_forward: (call, profile) => {
    const { steps, rows, currentSteps } = call.attributes;
    const HELD = currentSteps === 1 && steps > 1;
    const LANES = lanesOf(profile);
    const shader = variant('neurons/recurrent_lif_forward', call, { LANES }, { HELD });
    return perWorkgroup(shader, rows, profile);
  },
  recurrent_lif_backward: (call, profile) => {
    const shader = variant('neurons/recurrent_lif_backward', call, { LANES: lanesOf(profile) });
    return perWorkgroup(shader, call.attributes.rows, profile);
  },
  delay_steps: (call, profile) => {
    const { steps, count } = call.attributes;
    return perElement('memory/delay_steps', call, steps * count, profile);
  },
};

function lanesOf({ tiling }: DeviceProfile): number {
  return tiling === 'register' ? FEW_LANES : MANY_LANES;
}

function perWorkgroup(
  shader: ReturnType<typeof variant>,
  rows: number,
  profile: DeviceProfile,
): Dispatch {
  return { ...shader, workgroups: fold(rows, profile) };
}

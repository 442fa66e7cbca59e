import { byteWords } from '../../ops/quantised-linear.ts';
import type { SparseAttributes } from '../../graph/sparse-kernels.ts';
import { weightShape } from '../../graph/synapses.ts';
import {
  type Binder,
  type Call,
  type Dispatch,
  fold,
  perElement,
  perRow,
  variant,
  withConditions,
} from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** Invocations that share the neurons of a sequence: on processors each costs as much as what it does. */
const FEW_LANES = 32;
const MANY_LANES = 256;
/** Operands of the kernels that go back: the links by their source are the way, not the topology behind them. */
const BACKWARD_BINDINGS = 5;

type Scan = Call<'event_scan_forward'> | Call<'event_scan_backward'>;

function perSequence(call: Scan, profile: DeviceProfile): Dispatch {
  const { rows, sequence } = call.attributes;
  const LANES = profile.tiling === 'register' ? FEW_LANES : MANY_LANES;
  const shader = variant(`sparse/${call.kernel}`, call, { LANES });
  return { ...shader, workgroups: fold(rows / sequence, profile) };
}

function perItem(
  call: Call<keyof SparseAttributes>,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  return perElement(`sparse/${call.kernel}`, call, invocations, profile);
}

function masked(
  dispatch: Dispatch,
  {
    operands: { mask },
  }: Call<'event_mix_forward'> | Call<'event_mix_backward'> | Call<'route_forward'>,
): Dispatch {
  return withConditions(dispatch, { MASK: mask !== undefined });
}

export const sparseBinders: { readonly [K in keyof SparseAttributes]: Binder<K> } = {
  sparse_linear_forward: (call, profile) => {
    const { active, rows, width } = call.attributes;
    return perItem(call, active * rows * width, profile);
  },
  sparse_linear_backward: (call, profile) => ({
    ...perItem(call, call.attributes.rows * call.attributes.width, profile),
    bindings: BACKWARD_BINDINGS,
  }),
  event_scan_forward: perSequence,
  event_scan_backward: (call, profile) => ({
    ...perSequence(call, profile),
    bindings: BACKWARD_BINDINGS,
  }),
  event_mix_forward: (call, profile) =>
    masked(perItem(call, call.attributes.rows * call.attributes.width, profile), call),
  event_mix_backward: (call, profile) => {
    const { active, rows } = call.attributes;
    return masked(perRow('sparse/event_mix_backward', call, active * rows, profile), call);
  },
  route_forward: (call, profile) =>
    masked(perItem(call, call.attributes.rows / call.attributes.sequence, profile), call),
  running_mean_forward: (call, profile) =>
    perItem(call, call.attributes.rows / call.attributes.sequence, profile),
  running_mean_backward: (call, profile) => {
    const { rows, sequence, width } = call.attributes;
    return perItem(call, (rows / sequence) * width, profile);
  },
  expert_load: (call, profile) =>
    perRow('sparse/expert_load', call, call.attributes.experts, profile),
  route_backward: (call, profile) =>
    perItem(call, call.attributes.rows / call.attributes.sequence, profile),
  expert_mask_forward: (call, profile) => {
    const { active, rows, experts, rank } = call.attributes;
    return perItem(call, active * rows * experts * rank, profile);
  },
  expert_mask_backward: (call, profile) => {
    const { rows, experts, rank } = call.attributes;
    return perItem(call, rows * experts * rank, profile);
  },
  expert_means: (call, profile) => perItem(call, call.attributes.width, profile),
  hebbian_update: (call, profile) => {
    const [experts, words] = weightShape(call.attributes);
    return perItem(call, experts * words, profile);
  },
  codebook_rows: (call, profile) => {
    const { rows, rank } = call.attributes;
    const dispatch = perItem(call, rows * rank, profile);
    return { ...dispatch, constants: { ...dispatch.constants, BYTE_WORDS: byteWords(rank) } };
  },
  draw_candidates: (call, profile) => perItem(call, Math.ceil(call.attributes.count / 4), profile),
  candidate_join_forward: (call, profile) =>
    perItem(call, call.attributes.rows * (call.attributes.drawn + 1), profile),
  candidate_join_backward: (call, profile) => {
    const { rows, drawn, rank } = call.attributes;
    return perItem(call, rows * (drawn + rank), profile);
  },
};

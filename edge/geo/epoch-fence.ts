/**
 * What keeps a region from writing that was replaced while it could not be told: every write carries
 * the epoch it was decided in, and a store refuses all that are older than the newest it has seen.
 */
export interface Fence {
  readonly epoch: number;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly fence: Fence }
  | { readonly kind: 'stale'; readonly epoch: number };

/** Epochs count from 1, so a new store admits any. */
export const OPEN_FENCE: Fence = { epoch: 0 };

/** Admits a write under an epoch, and closes behind it to all older ones. */
export function admit(fence: Fence, epoch: number): Admission {
  if (epoch < fence.epoch) return { kind: 'stale', epoch: fence.epoch };
  return { kind: 'admitted', fence: epoch === fence.epoch ? fence : { epoch } };
}

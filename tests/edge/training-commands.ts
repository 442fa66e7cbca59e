import type { LeaseEnd, LeaseProof } from '../../edge/training/contract/trainer.ts';
import type { Command } from '../../edge/training/state.ts';

/** How a trainer may say that a lease ends: a failure may be one that others would not meet. */
export type How = LeaseEnd['outcome'] | 'retryable' | 'killed';

export const leaseFor = (n: number): Command => ({
  kind: 'lease',
  leaseId: `lease-${n}`,
  trainerId: `trainer-${n % 4}`,
  trainerName: `trainer ${n % 4}`,
  device: { label: 'WASM', gpuIndex: null, freeBytes: null },
});

const progressAt = (step: number) => ({
  epoch: 0,
  step,
  total_steps: 100,
  percent: 0,
  eta_s: null,
});

export const beatOf = (
  proof: LeaseProof,
  phase: 'validating' | 'running',
  step: number,
): Command => ({
  kind: 'heartbeat',
  proof,
  report: { phase, progress: progressAt(step), metrics: {}, effective: null },
});

const DIGEST = `sha256:${'a'.repeat(64)}`;

export const deltaOf = (proof: LeaseProof, round: number, base: string): Command => ({
  kind: 'contribute',
  proof,
  delta: {
    round,
    baseDigest: base,
    contribution: {
      tokens: 1,
      loss: 1,
      delta: { filename: 'delta.bin', digest: DIGEST, size_bytes: 28_000, parts: [] },
    },
  },
});

export function endOf({ lease_id, fencing_token }: LeaseProof, how: How): LeaseEnd {
  const proof = { lease_id, fencing_token };
  switch (how) {
    case 'completed':
      return { ...proof, outcome: how, progress: progressAt(100), model: null };
    case 'released':
      return { ...proof, outcome: how, reason: 'it shuts down' };
    case 'cancelled':
      return { ...proof, outcome: how };
    case 'failed':
      return {
        ...proof,
        outcome: how,
        error: { code: 'diverged', message: 'NaN', retryable: false },
      };
    case 'retryable':
      return {
        ...proof,
        outcome: 'failed',
        error: { code: 'runtime_error', message: 'lost its device', retryable: true },
      };
    case 'killed':
      return {
        ...proof,
        outcome: 'failed',
        error: { code: 'worker_lost', message: 'its process was killed', retryable: true },
      };
  }
}

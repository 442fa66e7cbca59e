import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { Attempt, JobRecord } from './contract/job.ts';
import { type DeviceUsed, type JobState, liveSeats } from './state.ts';
import type { StoredAttempt } from './attempt-store.ts';
import type { StoredJob } from './store.ts';
import { datasetNameIn } from '../datasets/contract/dataset.ts';
import { type PlaceableTrainer, type PlacementNeed, rankTrainers } from './placement.ts';

interface JobContext {
  readonly attempts: readonly StoredAttempt[];
  readonly checkpoints: readonly CheckpointRecord[];
  /** Why the job waits for a trainer; called only where it does. */
  readonly waitingReason: () => string;
}

/** The record of a job as the API shows it. */
export function jobRecord(
  { jobId, createdAt, job, state }: StoredJob,
  { attempts, checkpoints, waitingReason }: JobContext,
): JobRecord {
  const { request: _, plan, totalSteps: _steps, need, ...fixed } = job;
  return {
    ...fixed,
    owner: job.created_by,
    output_name: job.model_name,
    // Older jobs lack these fields.
    base_model: job.base_model ?? null,
    controls: job.controls ?? {},
    job_id: jobId,
    status: state.status,
    status_reason: reasonOf(state, waitingReason),
    effective: state.effective,
    device: state.device?.label ?? null,
    gpu: gpuOf(state.device, need.plannedBytes),
    progress: state.progress,
    metrics: state.metrics,
    checkpoints: [...checkpoints],
    model: state.model,
    verdict: state.verdict ?? null,
    error: state.error,
    attempt: state.token,
    attempts: attempts.map((attempt) => attemptOf(attempt, state)),
    replicas: plan.replicas,
    distributed: plan.distributed,
    rounds: roundsOf(state),
    created_at: createdAt,
    started_at: isoOf(state.startedAt),
    finished_at: isoOf(state.finishedAt),
    updated_at: new Date(state.updatedAt).toISOString(),
  };
}

function reasonOf(state: JobState, waitingReason: () => string): string {
  const waits = state.status === 'queued' || state.status === 'recovering';
  if (!waits || liveSeats(state).length > 0) return state.reason;
  return [state.reason, waitingReason()].filter((part) => part !== '').join('; ');
}

const gpuOf = (device: DeviceUsed | null, estimated: number | null): JobRecord['gpu'] =>
  device === null || device.gpuIndex === null
    ? null
    : { index: device.gpuIndex, estimated_bytes: estimated, free_bytes: device.freeBytes };

function roundsOf(state: JobState): JobRecord['rounds'] {
  const { rounds } = state;
  return (
    rounds && {
      round: rounds.round,
      members: liveSeats(state).length,
      contributed: rounds.sent.length,
      bytes_sent: rounds.bytesSent,
      bytes_float32: rounds.bytesFloat32,
    }
  );
}

/** Values reported by heartbeats are in the state while the attempt lasts. */
function attemptOf(stored: StoredAttempt, state: JobState): Attempt {
  const live = liveSeats(state).find(({ lease }) => lease.token === stored.token)?.lease;
  const { lastStep, heartbeatAt } = live ?? stored;
  return {
    attempt: stored.token,
    seat: stored.seat,
    trainer_id: stored.trainerId,
    trainer_name: stored.trainerName,
    lease_id: stored.leaseId,
    started_at: new Date(stored.startedAt).toISOString(),
    ended_at: isoOf(stored.endedAt),
    outcome: stored.outcome,
    from_step: stored.fromStep,
    last_step: lastStep,
    heartbeat_at: new Date(heartbeatAt).toISOString(),
  };
}

const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Why a job waits for a trainer, in words that say what would help. */
export function waitingReasonOf(
  need: PlacementNeed,
  trainers: readonly PlaceableTrainer[],
): string {
  const ranked = rankTrainers(need, trainers);
  const present = ranked.filter(({ excluded }) => excluded?.cause !== 'away');
  if (present.length === 0) return `waits for ${wanted(need)}; no trainer is connected`;
  const fitting = present.filter(
    ({ excluded }) => excluded === null || excluded.cause === 'busy',
  ).length;
  if (fitting > 0) {
    return fitting === 1
      ? 'waits for the one trainer that fits'
      : `waits for one of ${fitting} trainers that fit`;
  }
  const [closest] = present;
  return `waits for ${wanted(need)}; ${closest?.trainer.trainer_id}: ${closest?.excluded?.detail}`;
}

function wanted({ requirements, datasetPath, category, modelType }: PlacementNeed): string {
  const { device, kind, region_id, memory_bytes, trainer_id } = requirements;
  const conditions = [
    ...(trainer_id === undefined ? [] : [`is ${trainer_id}`]),
    ...(datasetPath !== null && datasetNameIn(datasetPath) === undefined
      ? [`has ${datasetPath}`]
      : []),
    ...(device === undefined ? [] : [`has a ${device}`]),
    ...(kind === undefined ? [] : [`is a ${kind}`]),
    ...(region_id === undefined ? [] : [`is in ${region_id}`]),
    ...(memory_bytes === undefined ? [] : [`has ${memory_bytes} bytes free`]),
  ];
  const last = conditions.length > 0 ? conditions.join(' and ') : `trains ${category ?? modelType}`;
  return `a trainer that ${last}`;
}

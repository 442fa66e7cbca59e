import type { CheckpointRecord } from './checkpoint.ts';
import type { JobRecord } from './job.ts';
import type { TrainerDevice } from './trainer.ts';
import type { TrainRequest } from './train-request.ts';

/** Values shared by the examples of jobs, trainers and datasets. */
export const exampleRecords = () => {
  const JOB_ID = 'job_01KAJ9W8Q3Z5V7N1M4T6R8S0XC';
  const TRAINER_ID = 'trn_01KAJ9V1B2C3D4E5F6G7H8J9K0';
  const CHECKPOINT_ID = 'ckp_01KAJ9X4A1B2C3D4E5F6G7H8J9';

  const digest = `sha256:${'ab'.repeat(32)}`;
  const part = { digest, size_bytes: 4096 };
  const file = { filename: 'model.safetensors', digest, size_bytes: 4096, parts: [part] };
  const proof = {
    lease_id: 'lea_4f9e3c52-6f0b-4d0a-9d8a-7f1c2b3a4d5e',
    fencing_token: 1,
  } as const;

  const config: TrainRequest['config'] = {
    steps: 1000,
    d_model: 128,
    n_heads: 4,
    num_blocks: 4,
    time_steps: 4,
    neuron_type: 'LIF',
    seq_len: 64,
    tokenizer: 'character',
    vocab_size: 4096,
    encoding: 'detected',
    aozora: false,
    normalise: 'none',
    longest_tau: 0,
    carry: false,
    batch_size: 16,
    seed: 1,
  };

  const progress = { epoch: 0.4, step: 400, total_steps: 1000, percent: 40, eta_s: 90 };

  const point = {
    step: 400,
    seat: 0,
    time: 1_763_632_800,
    train_loss: 2.31,
    valid_loss: 2.4,
    tokens_per_s: 5200,
    spike_rate: 0.12,
    learning_rate: 1e-4,
    grad_norm: 0.8,
  };

  const checkpoint: CheckpointRecord = {
    id: CHECKPOINT_ID,
    job_id: JOB_ID,
    step: 400,
    epoch: 0.4,
    metrics: { train_loss: 2.31 },
    digest,
    size_bytes: 4096,
    structure_digest: digest,
    vocabulary_digest: digest,
    tokenizer_digest: digest,
    resumable: true,
    attempt: 1,
    files: [file],
    created_at: '2026-11-20T10:02:00Z',
  };

  const job: JobRecord = {
    job_id: JOB_ID,
    kind: 'train',
    status: 'running',
    status_reason: 'desk trains it',
    model_type: 'dense_chronospike',
    category: null,
    model_name: 'whale',
    output_name: 'whale',
    base_model: null,
    dataset_path: 'datasets/moby-dick',
    output_dir: null,
    config,
    learning_rate: 1e-4,
    submitted: config,
    effective: { ...config, learning_rate: 1e-4 },
    controls: {
      learning_rate: { value: 1e-4, reason: 'the recipe auto of dense_chronospike' },
    },
    convergence_profile: 'auto',
    device: 'WASM SIMD, 2 threads',
    gpu: null,
    progress,
    metrics: { train_loss: 2.31, valid_loss: 2.4, tokens_per_s: 5200, spike_rate: 0.12 },
    checkpoints: [checkpoint],
    model: null,
    verdict: null,
    error: null,
    seed: 1,
    attempt: 1,
    attempts: [
      {
        attempt: 1,
        seat: 0,
        trainer_id: TRAINER_ID,
        trainer_name: 'desk',
        lease_id: proof.lease_id,
        started_at: '2026-11-20T10:00:01Z',
        ended_at: null,
        outcome: null,
        from_step: 0,
        last_step: 400,
        heartbeat_at: '2026-11-20T10:02:00Z',
      },
    ],
    priority: 50,
    replicas: 1,
    distributed: null,
    rounds: null,
    requirements: {},
    metadata: {},
    created_by: 'local',
    owner: 'local',
    team: 'default',
    created_at: '2026-11-20T10:00:00Z',
    started_at: '2026-11-20T10:00:02Z',
    finished_at: null,
    updated_at: '2026-11-20T10:02:00Z',
  };

  const device: TrainerDevice = {
    kind: 'cpu',
    label: 'WASM SIMD, 2 threads',
    gpu_index: null,
    total_bytes: 8_000_000_000,
    free_bytes: 4_000_000_000,
  };

  return {
    JOB_ID,
    TRAINER_ID,
    CHECKPOINT_ID,
    digest,
    part,
    file,
    proof,
    config,
    progress,
    point,
    checkpoint,
    job,
    device,
  };
};

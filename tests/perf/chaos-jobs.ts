import { openAsBlob } from 'node:fs';
import {
  TrainRequest,
  type TrainRequestInput,
} from '../../edge/training/contract/train-request.ts';
import {
  type Backend,
  blobSource,
  chronospikeSettings,
  createTrainingRun,
  openBackend,
  openCorpus,
} from '../../engine/index.ts';
import { controlsOfPlan, settingsOfRequest } from '../../trainer/job-plan.ts';
import { digestOfBytes } from '../../trainer/parts.ts';

/** A training that ends with the same digits wherever and however often it is interrupted. */
export interface Trial {
  readonly name: string;
  readonly request: TrainRequestInput;
}

/** The results of a training that two runs of it have to share. */
export interface Outcome {
  readonly weights: string;
  readonly validLoss: number;
}

/** Steps between two looks of a run in this process. */
const STRIDE = 10;

const STRUCTURES = [
  { d_model: 32, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 32, batch_size: 8 },
  { d_model: 48, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 32, batch_size: 4 },
  { d_model: 32, n_heads: 2, num_blocks: 2, time_steps: 2, seq_len: 32, batch_size: 4 },
  { d_model: 32, n_heads: 1, num_blocks: 1, time_steps: 4, seq_len: 48, batch_size: 4 },
] as const;

/** Four small structures with as many steps each. */
export function chaosTrials(datasetPath: string, steps: number): readonly Trial[] {
  return STRUCTURES.map((structure, i) => ({
    name: `chaos-${i}`,
    request: {
      model_type: 'dense_chronospike',
      dataset_path: datasetPath,
      learning_rate: 0.01,
      config: {
        ...structure,
        steps,
        seed: i + 1,
        checkpoint_every: Math.ceil(steps / 8),
        validate_every: Math.ceil(steps / 2),
      },
      // Whoever is killed here is killed through no fault of the job's.
      max_recoveries: 10,
    },
  }));
}

/** Runs a training in this process, with nobody to disturb it. */
export async function undisturbed({ request }: Trial, text: string): Promise<Outcome> {
  const backend = await openBackend('wasm', { gpu: undefined, threads: 1, deterministic: true });
  try {
    return await train(backend, TrainRequest.parse(request), text);
  } finally {
    backend.close();
  }
}

async function train(backend: Backend, request: TrainRequest, text: string): Promise<Outcome> {
  const { convergence_profile: profile } = request;
  const asked = settingsOfRequest(request);
  const settings = chronospikeSettings(asked);
  const controls = controlsOfPlan({ profile, settings: asked, controls: request.controls }, {});
  const corpus = await openCorpus(blobSource(await openAsBlob(text), text));
  const run = await createTrainingRun({ backend, corpus, settings, controls, profile });
  const total = run.totalSteps ?? Infinity;
  while (run.step() < total) await run.advance(Math.min(STRIDE, total - run.step()));
  const { loss } = await run.validate();
  const weights = (await run.checkpoint()).get('model.safetensors');
  run.close();
  if (!weights) throw new Error('the checkpoint holds no weights');
  return { weights: await digestOfBytes(new Uint8Array(weights)), validLoss: loss };
}

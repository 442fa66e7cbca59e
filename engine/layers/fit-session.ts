import { EngineError } from '../errors.ts';
import type { Player } from '../graph/backend.ts';
import { createStepInputs, type StepInputs } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import type { BatchArrays, BatchSource, Data } from './batch-source.ts';
import { openBatches } from './batches.ts';
import type { checkFit, EpochReport } from './fit-options.ts';
import type { Model } from './model.ts';
import { decodeTraining } from './training-file.ts';
import {
  emptyBatch,
  type JudgingProgram,
  traceJudging,
  traceTraining,
  type TrainingProgram,
} from './training-programs.ts';

/** Why training ended: all epochs are done, the validation got no better, or somebody asked for it. */
export type Ending = 'epochs' | 'early' | 'stopped' | 'aborted';

type Checked = ReturnType<typeof checkFit>;

/** Training while it runs. */
export interface Session {
  readonly model: Model;
  readonly options: Checked;
  readonly player: Player;
  readonly program: TrainingProgram;
  readonly source: BatchSource;
  readonly validation:
    | { readonly program: JudgingProgram; readonly source: BatchSource }
    | undefined;
  readonly batch: BatchArrays;
  readonly inputs: StepInputs;
  readonly started: number;
  readonly losses: number[];
  readonly norms: number[];
  readonly epochs: EpochReport[];
  best: Best | undefined;
  step: number;
  epoch: number;
  stepOfEpoch: number;
  /** Steps of an epoch, once that is known. */
  perEpoch: number | undefined;
  /** For the schedule; infinite where there is none and nobody knows. */
  readonly totalSteps: number;
  ended: Ending | undefined;
}

/** The best validation so far. */
interface Best {
  readonly epoch: number;
  readonly score: number;
  readonly values: Float32Array | undefined;
}

/** Loads what training plays. Throws EngineError for data and a state that do not fit the network. */
export async function openSession(model: Model, data: Data, options: Checked): Promise<Session> {
  const { network, backend } = model;
  const { loss, optimizer, batchSize: rows, seed } = options;
  const resumed = resumedState(model, options);
  const source = await openBatches(data, { network, kind: loss.target, seed });
  const perEpoch = source.batchesPerEpoch(rows);
  if (perEpoch === 0) throw tooFew(rows);
  const totalSteps = stepsInAll(options, perEpoch);
  const program = traceTraining(network, source, { loss, optimizer, rows });
  const validation = await openValidation(model, options);
  const programs = [program.program, ...(validation ? [validation.program.program] : [])];
  const player = await backend.load(network.layout, programs);
  const { values, momentum, variance, ...standing } = resumed;
  player.write(network.layout.values, values);
  if (momentum) player.write(network.layout.momentum, momentum);
  if (variance) player.write(network.layout.variance, variance);
  const { weightDecay, beta1, beta2, clipNorm } = optimizer;
  return {
    model,
    options,
    player,
    program,
    source,
    validation,
    batch: emptyBatch(program),
    inputs: createStepInputs({ weightDecay, beta1, beta2, clipNorm, seed: keyOf(seed) }),
    started: performance.now(),
    losses: [],
    norms: [],
    epochs: [],
    best: undefined,
    ...standing,
    perEpoch,
    totalSteps,
    ended: standing.epoch >= options.epochs ? 'epochs' : undefined,
  };
}

function stepsInAll(
  { epochs, schedule, stepsPerEpoch }: Checked,
  perEpoch: number | undefined,
): number {
  const known = perEpoch ?? stepsPerEpoch;
  if (known !== undefined || !schedule) return epochs * (known ?? Infinity);
  throw new EngineError(
    'invalid-setting',
    'fit: a schedule needs to know how many steps there are, and the data is iterated: expected stepsPerEpoch',
  );
}

async function openValidation(
  { network }: Model,
  { validation, loss, on, batchSize: rows }: Checked,
): Promise<Session['validation']> {
  if (!validation) return undefined;
  const source = await openBatches(validation, { network, kind: loss.target, seed: undefined });
  return { program: traceJudging(network, source, { loss, on, rows }), source };
}

interface Resumed extends Pick<Session, 'step' | 'epoch' | 'stepOfEpoch'> {
  readonly values: Float32Array;
  /** Absent in a run that begins. */
  readonly momentum?: Float32Array;
  readonly variance?: Float32Array;
}

function resumedState({ network, values }: Model, options: Checked): Resumed {
  if (!options.resume) return { step: 0, epoch: 0, stepOfEpoch: 0, values };
  const state = decodeTraining(network.layout, options.resume);
  const { seed, batchSize, optimizer, ...resumed } = state;
  const asked = {
    seed: options.seed,
    batchSize: options.batchSize,
    optimizer: options.optimizer.name,
  };
  for (const [name, stored] of Object.entries({ seed, batchSize, optimizer })) {
    const value = asked[name as keyof typeof asked];
    if (stored === value) continue;
    throw new EngineError(
      'checkpoint-mismatch',
      `fit: what it resumes was trained with ${name} ${stored}, the options have ${value}`,
    );
  }
  return resumed;
}

/** For an epoch without one whole batch. */
export function tooFew(batchSize: number): EngineError {
  return new EngineError(
    'invalid-setting',
    `fit: batchSize is ${batchSize}, and there are fewer examples: expected at most as many`,
  );
}

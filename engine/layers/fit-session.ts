import { EngineError } from '../errors.ts';
import type { Player } from '../graph/backend.ts';
import { createStepInputs, type StepInputs } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import type { BatchArrays, BatchSource, Data } from './batch-source.ts';
import { openBatches } from './batches.ts';
import type { checkFit, EpochReport } from './fit-options.ts';
import type { Model } from './model.ts';
import type { Network } from './network.ts';
import { type RunningAverage, traceAverage } from './fit-average.ts';
import { type Resumed, resumedState } from './resumed-run.ts';
import type { BestEpoch } from './training-file.ts';
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
    | {
        readonly program: JudgingProgram;
        readonly source: BatchSource;
        /** That of the training, or its own where averaged parameters are judged. */
        readonly player: Player;
      }
    | undefined;
  readonly average: RunningAverage | undefined;
  readonly batch: BatchArrays;
  readonly inputs: StepInputs;
  readonly started: number;
  readonly losses: number[];
  readonly norms: number[];
  readonly epochs: EpochReport[];
  best: BestEpoch | undefined;
  step: number;
  epoch: number;
  stepOfEpoch: number;
  /** Steps of an epoch, once that is known. */
  perEpoch: number | undefined;
  /** For the schedule; infinite where there is none and nobody knows. */
  readonly totalSteps: number;
  ended: Ending | undefined;
}

/** Loads what training plays. Throws EngineError for data and a state that do not fit the network. */
export async function openSession(model: Model, data: Data, options: Checked): Promise<Session> {
  const { network, backend } = model;
  const { loss, optimizer, batchSize: rows, seed, segments } = options;
  const resumed = resumedState(model, options);
  const source = await openBatches(data, { network, kind: loss.target, seed });
  const perEpoch = source.batchesPerEpoch(rows);
  if (perEpoch === 0) throw tooFew(rows);
  const totalSteps = stepsInAll(options, perEpoch);
  const program = traceTraining(network, source, { loss, optimizer, rows, segments });
  const judged = await openValidation(model, options);
  const average = options.average && traceAverage(network.layout, options.average);
  const own = [...program.programs, ...(average ? [average.program] : [])];
  const judging = judged?.program.programs ?? [];
  const player = await backend.load(network.layout, average ? own : [...own, ...judging]);
  const standing = startPlayer(player, { network, average, resumed });
  const judge = judged && average ? await backend.load(network.layout, judging) : player;
  const { weightDecay, beta1, beta2, clipNorm } = optimizer;
  return {
    model,
    options,
    player,
    program,
    source,
    validation: judged && { ...judged, player: judge },
    average,
    batch: emptyBatch(program),
    inputs: createStepInputs({ weightDecay, beta1, beta2, clipNorm, seed: keyOf(seed) }),
    started: performance.now(),
    losses: [],
    norms: [],
    epochs: [],
    ...standing,
    perEpoch,
    totalSteps,
    ended: endOf(options, standing),
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
  { validation, loss, on, batchSize: rows, segments }: Checked,
): Promise<Omit<NonNullable<Session['validation']>, 'player'> | undefined> {
  if (!validation) return undefined;
  const source = await openBatches(validation, { network, kind: loss.target, seed: undefined });
  return { program: traceJudging(network, source, { loss, on, rows, segments }), source };
}

interface Start {
  readonly network: Network;
  readonly average: RunningAverage | undefined;
  readonly resumed: Resumed;
}

/** Puts on the device what training goes on from; returns where it stands. */
function startPlayer(player: Player, { network, average, resumed }: Start) {
  const { values, momentum, variance, average: averaged, best, ...standing } = resumed;
  player.write(network.layout.values, values);
  if (momentum) player.write(network.layout.momentum, momentum);
  if (variance) player.write(network.layout.variance, variance);
  if (averaged) average?.restore(player, averaged);
  return { ...standing, best };
}

/** Whether training is at its end, behind so many epochs and the best of them. */
export function endOf(
  { epochs, earlyStopping }: Pick<Checked, 'epochs' | 'earlyStopping'>,
  { epoch, best }: Pick<Session, 'epoch' | 'best'>,
): Ending | undefined {
  if (epoch >= epochs) return 'epochs';
  const isTired = earlyStopping && epoch - (best?.epoch ?? 0) >= earlyStopping.patience;
  return isTired ? 'early' : undefined;
}

/** Gives back what a session plays with. */
export function closeSession({ player, validation }: Session): void {
  if (validation && validation.player !== player) validation.player.close();
  player.close();
}

/** For an epoch without one whole batch. */
export function tooFew(batchSize: number): EngineError {
  return new EngineError(
    'invalid-setting',
    `fit: batchSize is ${batchSize}, and there are fewer examples: expected at most as many`,
  );
}

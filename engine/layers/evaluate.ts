import type { Player } from '../graph/backend.ts';
import type { Loss, TargetKind } from '../losses/loss.ts';
import type { OutputKind } from '../losses/outputs.ts';
import { argmax } from '../numbers.ts';
import type { BatchSource, Data } from './batch-source.ts';
import { openBatches } from './batches.ts';
import type { Model } from './model.ts';
import { countOf, givenOptions } from './options.ts';
import { emptyBatch, type JudgingProgram, traceJudging } from './training-programs.ts';

/** How `evaluate` scores examples. */
export interface EvaluateOptions {
  /** Measured where it is given; how it reads `y` decides what `y` is: classes where there is none. */
  readonly loss?: Loss;
  /** Numbers of the last layer that are the scores, as in `predict`. */
  readonly on?: OutputKind;
  /** 128 by default. */
  readonly batchSize?: number;
  /** Runs the time steps in about so many segments, with the memory of one, as `fit`; 1 by default. */
  readonly segments?: number;
}

/** How well a model does. */
export interface Evaluation {
  /** Examples. */
  readonly count: number;
  /** Mean over the examples. */
  readonly loss?: number;
  /** Share of examples whose class has the largest score, from 0 to 1; of classes alone. */
  readonly accuracy?: number;
  /** `[outputs, outputs]`: examples of each class, by row, that were taken for each; of classes alone. */
  readonly confusion?: Uint32Array;
}

const BATCH = 128;

/** Loss, accuracy and confusion of a model on examples it does not learn from. Throws EngineError as `fit`. */
export async function evaluate(
  { network, backend, values }: Model,
  data: Data,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  givenOptions('evaluate', options, ['loss', 'on', 'batchSize', 'segments']);
  const { loss, on, batchSize = BATCH, segments = 1 } = options;
  const kind = loss?.target ?? 'classes';
  const source = await openBatches(data, { network, kind, seed: undefined });
  const rows = countOf('evaluate', 'batchSize', batchSize);
  const parts = countOf('evaluate', 'segments', segments);
  const program = traceJudging(network, source, { rows, loss, on, segments: parts });
  const player = await backend.load(network.layout, program.programs);
  try {
    player.write(network.layout.values, values);
    return await judge(player, program, source, kind);
  } finally {
    player.close();
  }
}

/** Plays a program on all examples; the rows behind the last one do not count. */
export async function judge(
  player: Player,
  program: JudgingProgram,
  source: BatchSource,
  kind: TargetKind,
): Promise<Evaluation> {
  const isClasses = kind === 'classes';
  const batch = emptyBatch(program);
  // Without a loss a program takes no targets, and the classes are compared all the same.
  const targets = isClasses ? new Uint32Array(batch.rows) : batch.targets;
  const meter = createMeter(program.scores.shape[2] ?? 1);
  let [count, sum] = [0, 0];
  await source.begin(0, 0, batch.rows);
  for (let rows = batch.rows; rows === batch.rows;) {
    rows = await source.take({ ...batch, targets });
    if (rows === 0) break;
    program.play(player, { ...batch, targets });
    if (program.losses) sum += sumOf(await player.read(program.losses), rows);
    if (isClasses) meter.add(await player.read(program.scores), targets, rows);
    count += rows;
  }
  return {
    count,
    ...(program.losses && { loss: sum / count }),
    ...(isClasses && { accuracy: meter.right() / count, confusion: meter.confusion }),
  };
}

function createMeter(outputs: number) {
  const confusion = new Uint32Array(outputs * outputs);
  return {
    confusion,
    add(scores: Float32Array | Uint32Array, truths: ArrayLike<number>, rows: number) {
      for (let row = 0; row < rows; row++) {
        const answer = argmax(scores.subarray(row * outputs, (row + 1) * outputs));
        const at = (truths[row] ?? 0) * outputs + answer;
        confusion[at] = (confusion[at] ?? 0) + 1;
      }
    },
    right(): number {
      let right = 0;
      for (let one = 0; one < outputs; one++) right += confusion[one * (outputs + 1)] ?? 0;
      return right;
    },
  };
}

function sumOf(losses: Float32Array | Uint32Array, rows: number): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += losses[row] ?? 0;
  return sum;
}

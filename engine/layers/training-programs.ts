import type { Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { type Loss, targetTensor, traceLoss } from '../losses/loss.ts';
import type { OutputKind } from '../losses/outputs.ts';
import { keep } from '../ops/keep.ts';
import { clockInput, ratesInput } from '../ops/step-inputs.ts';
import type { Optimizer } from '../optimizers/optimizer.ts';
import { HISTORY_SLOTS, type StepHistory } from '../train/step-history.ts';
import type { BatchArrays } from './batch-source.ts';
import type { InputForm } from './example-inputs.ts';
import { featuresOf } from './layer.ts';
import { type Network, outputsOf } from './network.ts';
import { emptyInputs, inputTensor, scoresOf, startPass } from './predict.ts';
import { traceJudgedSegments, traceSegments } from './segmented-training.ts';

/** The form of a batch. */
interface BatchInputs {
  readonly rows: number;
  readonly input: Tensor;
  /** Absent where the loss takes no target. */
  readonly target: Tensor | undefined;
}

export interface TrainingProgram extends BatchInputs, StepHistory {
  /** All that it plays. */
  readonly programs: readonly Program[];
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** Queues a step on a batch. */
  play(player: Player, batch: BatchArrays): void;
}

export interface Trained {
  readonly loss: Loss;
  readonly optimizer: Optimizer;
  readonly rows: number;
  /** Segments that the time steps are run in. */
  readonly segments: number;
}

/** Forward, backward and optimizer: one step. */
export function traceTraining(
  network: Network,
  form: InputForm,
  trained: Trained,
): TrainingProgram {
  if (trained.segments > 1) return traceSegments(network, form, trained);
  const { loss, optimizer, rows } = trained;
  const graph = new Graph('train', network.layout);
  const input = inputTensor(graph, network, form, rows);
  const clock = clockInput(graph);
  const outputs = outputsOf(network, { graph, isTraining: true, clock }, input);
  const target = targetTensor(graph, loss, { ...shapeOf(network), rows });
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  traceLoss(graph, loss, { outputs, target }, { history: losses, clock }).differentiate();
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  optimizer.update(graph, { rates, clock, norms });
  const program = graph.build();
  return {
    programs: [program],
    rows,
    input,
    target,
    clock,
    rates,
    losses,
    norms,
    play: playerOf(program, { input, target }),
  };
}

/** Writes a batch and plays one program. */
function playerOf(program: Program, { input, target }: Pick<BatchInputs, 'input' | 'target'>) {
  return (player: Player, { inputs, targets }: BatchArrays): void => {
    player.write(input, inputs);
    if (target) player.write(target, targets);
    player.play(program);
  };
}

export interface JudgingProgram extends BatchInputs {
  /** All that it plays. */
  readonly programs: readonly Program[];
  /** `[1, rows, 1]`: the loss of each row; absent without a loss. */
  readonly losses: Tensor | undefined;
  /** `[1, rows, outputs]` */
  readonly scores: Tensor;
  /** Queues all of it on a batch. */
  play(player: Player, batch: BatchArrays): void;
}

export interface Judged {
  readonly loss: Loss | undefined;
  readonly on: OutputKind | undefined;
  readonly rows: number;
  /** Segments that the time steps are run in. */
  readonly segments: number;
}

/** Loss and scores of each row of a batch, without learning. */
export function traceJudging(network: Network, form: InputForm, judged: Judged): JudgingProgram {
  if (judged.segments > 1) return traceJudgedSegments(network, form, judged);
  const { loss, on, rows } = judged;
  const graph = new Graph('evaluate', network.layout);
  const input = inputTensor(graph, network, form, rows);
  const outputs = outputsOf(network, startPass(graph), input);
  const target = loss && targetTensor(graph, loss, { ...shapeOf(network), rows });
  const losses = loss && keep(graph, 'losses', loss.trace(graph, outputs, target));
  const scores = scoresOf(graph, outputs, on);
  const program = graph.build();
  return {
    programs: [program],
    rows,
    input,
    target,
    losses,
    scores,
    play: playerOf(program, { input, target }),
  };
}

const shapeOf = ({ steps, output }: Network) => ({ steps, width: featuresOf(output) });

/** Arrays for the inputs of a program. */
export function emptyBatch({ input, target, rows }: BatchInputs): BatchArrays {
  const words = target ? wordCount(target) : 0;
  const targets = target?.dtype === 'u32' ? new Uint32Array(words) : new Float32Array(words);
  return { inputs: emptyInputs(input), targets, rows };
}

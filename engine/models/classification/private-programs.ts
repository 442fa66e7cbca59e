import { memoryKernels } from '../../kernels/memory.ts';
import { lossKernels } from '../../kernels/losses.ts';
import { privacyKernels } from '../../kernels/parameter-updates.ts';
import type { TrainingExecution } from '../../checkpoint/training-state.ts';
import { controlsOf } from '../../checkpoint/training-state.ts';
import { traceTraining } from './classifier.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import {
  addClipped,
  type NoiseOptions,
  type PrivateSums,
  privateSums,
  takeNoised,
} from '../../ops/private-sum.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { HISTORY_SLOTS } from '../../train/step-history.ts';
import { type Classifier, inputsOf } from './classifier.ts';

/** The program of one example of a step. */
interface ExampleProgram {
  readonly program: Program;
  /** `[frames, 1, inputs]` */
  readonly inputs: Tensor;
  /** `u32[steps]`: its class once for every time step of the logits. */
  readonly targets: Tensor;
  /** As `ratesInput`; only the clipping norm counts. */
  readonly rates: Tensor;
  /** `[1]`: one over the examples of the step. */
  readonly share: Tensor;
}

/** Differentially private SGD: the example's program is played for each of a sample, then that of the step. */
export interface PrivatePrograms {
  readonly example: ExampleProgram;
  readonly train: {
    readonly program: Program;
    readonly clock: Tensor;
    readonly rates: Tensor;
    /** `[HISTORY_SLOTS]`: mean nats of the sample, and global norms of the noised gradient. */
    readonly losses: Tensor;
    readonly norms: Tensor;
  };
  readonly sums: PrivateSums;
}

/**
 * Traces private training (Abadi et al. 2016). Each example's gradient is one by itself, a batch of one,
 * so that it can be clipped by itself whatever the layers are; Adam only sees the noised mean.
 */
export function tracePrivateTraining(
  classifier: Classifier<unknown>,
  noise: NoiseOptions,
  optimiser: AdamWOptions,
): PrivatePrograms {
  const sums = privateSums(classifier.layout);
  return {
    sums,
    example: traceExample(classifier, sums),
    train: traceStep(classifier, sums, { noise, optimiser }),
  };
}

function traceExample(classifier: Classifier<unknown>, sums: PrivateSums): ExampleProgram {
  const graph = new Graph('example', classifier.layout);
  const inputs = inputsOf(graph, classifier, 1);
  const logits = classifier.logits(graph, inputs);
  const targets = graph.local('targets', 'u32', [logits.shape[0] ?? 1]);
  const clock = clockInput(graph);
  const history = graph.local('loss', 'f32', [1]);
  const loss = crossEntropy(graph, logits, targets, { history, clock });
  const share = graph.local('share', 'f32', [1]);
  graph.call(
    privacyKernels.clipped_sum,
    { addend: history, scale: share, sum: sums.loss },
    { count: 1 },
  );
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [1]);
  differentiate(graph, loss);
  addClipped(graph, sums, { rates, clock, norms });
  return { program: graph.build(), inputs, targets, rates, share };
}

interface StepOptions {
  readonly noise: NoiseOptions;
  readonly optimiser: AdamWOptions;
}

function traceStep(
  { layout }: Classifier<unknown>,
  sums: PrivateSums,
  { noise, optimiser }: StepOptions,
): PrivatePrograms['train'] {
  const graph = new Graph('private step', layout);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  graph.call(
    lossKernels.mean_loss,
    { losses: sums.loss, clock, history: losses },
    { rows: 1, slots: HISTORY_SLOTS },
  );
  graph.call(memoryKernels.fill, { target: sums.loss }, { count: 1, value: 0 });
  takeNoised(graph, sums, noise);
  adamW(graph, optimiser, { rates, clock, norms });
  return { program: graph.build(), clock, rates, losses, norms };
}

/** The programs of a stored run's step: a private run plays one for each example, then one for the step. */
export function classifierPrograms(
  classifier: Classifier<unknown>,
  execution: TrainingExecution,
): readonly Program[] {
  const { batch_size: batch } = execution.effective;
  const controls = controlsOf(execution);
  const { privacy } = execution;
  if (!privacy) return [traceTraining(classifier, batch, controls).program];
  const { noise_multiplier: noise, clip_norm: clipNorm } = privacy;
  const { example, train } = tracePrivateTraining(classifier, { noise, clipNorm, batch }, controls);
  return [example.program, train.program];
}

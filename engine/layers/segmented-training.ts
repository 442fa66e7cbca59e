import { Graph } from '../graph/graph.ts';
import type { Segment } from '../graph/segments.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { type Loss, targetForm, traceLoss } from '../losses/loss.ts';
import { ratesInput } from '../ops/step-inputs.ts';
import { HISTORY_SLOTS } from '../train/step-history.ts';
import type { InputForm } from './example-inputs.ts';
import { featuresOf } from './layer.ts';
import { type Network, outputsOf } from './network.ts';
import { readScores } from './predict.ts';
import { expectSegments } from './segment-plan.ts';
import { openSegments } from './segment-run.ts';
import type { Judged, JudgingProgram, Trained, TrainingProgram } from './training-programs.ts';

/**
 * A step of training whose time steps are run in segments, of which one at a time is in the arena. The first pass
 * leaves the states at the start of each segment and what the loss reads off all steps; the last segment turns back;
 * each of the others, from the last to the first, is run again from its first states, and back from the gradients of
 * its last ones. The gradients are those of all steps at once, but for the order in which they are added up.
 */
export function traceSegments(
  network: Network,
  form: InputForm,
  { loss, optimizer, rows, segments }: Trained,
): TrainingProgram {
  expectSegments(network, loss);
  const run = openSegments(network, form, { name: 'train', rows, segments });
  const { count } = run;
  const target = sharedTarget(network, loss, rows);
  const clock = sharedTensor('clock', 'u32', [4]);
  const losses = sharedTensor('loss history', 'f32', [HISTORY_SLOTS]);
  const trace = (phase: Segment['phase']) =>
    run.trace(phase, (graph, part, input) => {
      const outputs = outputsOf(part, { graph, isTraining: true, clock }, input);
      if (phase === 'forward') loss.trace(graph, outputs, target);
      else {
        const all = { outputs, target };
        traceLoss(graph, loss, all, { history: losses, clock }).differentiate();
      }
    });
  const [forward, turn, back] = [trace('forward'), trace('turn'), trace('back')];
  const begin = run.traceBegin();
  const graph = new Graph('train, update', network.layout);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  optimizer.update(graph, { rates, clock, norms });
  const update = graph.build();
  return {
    programs: [begin, forward, turn, back, update],
    rows,
    input: run.input,
    target,
    clock,
    rates,
    losses,
    norms,
    play(player, { inputs, targets }) {
      if (target) player.write(target, targets);
      const play = run.playerOf(player, inputs);
      player.play(begin);
      for (let index = 0; index < count - 1; index++) play(forward, index);
      play(turn, count - 1);
      for (let index = count - 2; index >= 0; index--) play(back, index);
      player.play(update);
    },
  };
}

/** Loss and scores of each row of a batch, without learning; the last segment completes both. */
export function traceJudgedSegments(
  network: Network,
  form: InputForm,
  { loss, on, rows, segments }: Judged,
): JudgingProgram {
  expectSegments(network, loss);
  const run = openSegments(network, form, { name: 'evaluate', rows, segments });
  const target = loss && sharedTarget(network, loss, rows);
  const width = featuresOf(network.output);
  const losses = loss && sharedTensor('losses', 'f32', [1, rows, 1]);
  const scores = sharedTensor('scores', 'f32', [1, rows, width]);
  const trace = (phase: Segment['phase']) =>
    run.trace(phase, (graph, part, input) => {
      const outputs = outputsOf(part, { graph, isTraining: false }, input);
      if (losses) copyInto(graph, losses, loss.trace(graph, outputs, target));
      copyInto(graph, scores, readScores(graph, outputs, on));
    });
  const [forward, last] = [trace('forward'), trace('turn')];
  const begin = run.traceBegin();
  return {
    programs: [begin, forward, last],
    rows,
    input: run.input,
    target,
    losses,
    scores,
    play(player, { inputs, targets }) {
      if (target) player.write(target, targets);
      const play = run.playerOf(player, inputs);
      player.play(begin);
      for (let index = 0; index < run.count - 1; index++) play(forward, index);
      play(last, run.count - 1);
    },
  };
}

function sharedTarget(network: Network, loss: Loss, rows: number): Tensor | undefined {
  const shape = { steps: network.steps, rows, width: featuresOf(network.output) };
  const form = targetForm(loss, shape);
  return form && sharedTensor('targets', form.dtype, form.shape);
}

function copyInto(graph: Graph, target: Tensor, source: Tensor): void {
  graph.call(memoryKernels.copy, { source, target }, { count: wordCount(target) });
}

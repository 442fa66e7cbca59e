import type { Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Segment, Segments } from '../graph/segments.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { segmentKernels } from '../kernels/segments.ts';
import { type Loss, targetForm, traceLoss } from '../losses/loss.ts';
import { ratesInput } from '../ops/step-inputs.ts';
import { HISTORY_SLOTS } from '../train/step-history.ts';
import type { InputForm } from './example-inputs.ts';
import { featuresOf } from './layer.ts';
import { type Network, outputsOf } from './network.ts';
import { expectSegments, planSegments, type SegmentPlan } from './segment-plan.ts';
import type { Trained, TrainingProgram } from './training-programs.ts';

/** Tensors that the programs of a step share. */
interface Common {
  readonly segments: Segments;
  readonly clock: Tensor;
  readonly losses: Tensor;
  readonly target: Tensor | undefined;
}

/**
 * A step of training whose time steps are run in segments, of which one at a time is in the arena. The first pass
 * leaves the states at the start of each segment and what the loss reads off all steps; the last segment turns back;
 * each of the others, from the last to the first, is run again from its first states, and back from the gradients of
 * its last ones. The gradients are those of all steps at once, but for the order in which they are added up.
 */
export function traceSegments(
  network: Network,
  form: InputForm,
  { loss, optimizer, rows, segments: asked }: Trained,
): TrainingProgram {
  expectSegments(network, loss);
  const plan = planSegments(network.steps, asked);
  const shape = { steps: network.steps, rows, width: featuresOf(network.output) };
  const targets = targetForm(loss, shape);
  const common: Common = {
    segments: new Segments({ count: plan.count, steps: network.steps }),
    clock: sharedTensor('clock', 'u32', [4]),
    losses: sharedTensor('loss history', 'f32', [HISTORY_SLOTS]),
    target: targets && sharedTensor('targets', targets.dtype, targets.shape),
  };
  const inputs = inputsOf(network, form, rows, plan);
  const each = (name: Segment['phase']) =>
    tracePhase(network, loss, common, { name, steps: plan.length, input: inputs.each });
  const [forward, back] = [each('forward'), each('back')];
  const atLast = { name: 'turn', steps: plan.last, input: inputs.last } as const;
  const turn = tracePhase(network, loss, common, atLast);
  const begin = traceBegin(network.layout, common.segments);
  const places = Array.from({ length: plan.count }, (_, index) =>
    Uint32Array.of(index, index * plan.length),
  );
  const graph = new Graph('train, update', network.layout);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  optimizer.update(graph, { rates, clock: common.clock, norms });
  const update = graph.build();
  return {
    programs: [begin, forward, turn, back, update],
    rows,
    input: inputs.whole,
    target: common.target,
    clock: common.clock,
    rates,
    losses: common.losses,
    norms,
    play(player, batch) {
      if (common.target) player.write(common.target, batch.targets);
      if (inputs.stepWords === 0) player.write(inputs.each, batch.inputs);
      const segment = (program: Program, index: number) => {
        writeSegment(player, { plan, inputs, batch: batch.inputs, index });
        player.write(common.segments.place, places[index] as Uint32Array);
        player.play(program);
      };
      player.play(begin);
      for (let index = 0; index < plan.count - 1; index++) segment(forward, index);
      segment(turn, plan.count - 1);
      for (let index = plan.count - 2; index >= 0; index--) segment(back, index);
      player.play(update);
    },
  };
}

/** The inputs of programs: of a segment, of the last one, and how those of all steps lie in a batch. */
interface SegmentInputs {
  readonly whole: Tensor;
  readonly each: Tensor;
  readonly last: Tensor;
  /** Words of a step; 0 where the input is the same in every step. */
  readonly stepWords: number;
}

function inputsOf(
  network: Network,
  { frames, dtype }: InputForm,
  rows: number,
  { length, last }: SegmentPlan,
): SegmentInputs {
  const isHeld = frames === 1;
  const tensorOf = (steps: number) =>
    sharedTensor('inputs', dtype, [isHeld ? 1 : steps, rows, featuresOf(network.input)]);
  const each = tensorOf(length);
  return {
    whole: tensorOf(network.steps),
    each,
    last: isHeld || last === length ? each : tensorOf(last),
    stepWords: isHeld ? 0 : wordCount(tensorOf(1)),
  };
}

interface Phase {
  readonly name: Segment['phase'];
  /** Steps of the segment, and its input. */
  readonly steps: number;
  readonly input: Tensor;
}

function tracePhase(
  network: Network,
  loss: Loss,
  { segments, clock, target, losses: history }: Common,
  { name, steps, input }: Phase,
): Program {
  const graph = new Graph(`train, ${name}`, network.layout, segments.phase(name));
  const pass = { graph, isTraining: true, clock };
  const outputs = outputsOf(network.withSteps(steps), pass, input);
  if (name === 'forward') loss.trace(graph, outputs, target);
  else traceLoss(graph, loss, { outputs, target }, { history, clock }).differentiate();
  return graph.build();
}

/** Everything that is carried as it is before the first segment. */
function traceBegin(layout: ParameterLayout, { carried }: Segments): Program {
  const graph = new Graph('train, begin', layout);
  for (const { tensor, first } of carried) {
    // Of whole numbers none is read before it is written.
    if (tensor.dtype !== 'f32') continue;
    let at = 0;
    for (const { words: count, value } of first) {
      const attributes = { first: at, count, all: wordCount(tensor), value };
      graph.call(segmentKernels.fill_part, { target: tensor }, attributes);
      at += count;
    }
  }
  return graph.build();
}

interface Written {
  readonly plan: SegmentPlan;
  readonly inputs: SegmentInputs;
  /** Of all steps, `[T or 1, rows, features]`. */
  readonly batch: Float32Array | Uint32Array;
  readonly index: number;
}

/** Writes the inputs of a segment, where those of each step are its own. */
function writeSegment(player: Player, { plan, inputs, batch, index }: Written): void {
  const { each, last, stepWords } = inputs;
  if (stepWords === 0) return;
  const isLast = index === plan.count - 1;
  const first = index * plan.length;
  const end = first + (isLast ? plan.last : plan.length);
  player.write(isLast ? last : each, batch.subarray(first * stepWords, end * stepWords));
}

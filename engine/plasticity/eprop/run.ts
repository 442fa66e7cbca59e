import type { Backend, Player } from '../../graph/backend.ts';
import { EngineError } from '../../errors.ts';
import { layOutParameters, type Parameter } from '../../graph/parameters.ts';
import { type Tensor, wordCount } from '../../graph/tensor.ts';
import { learnedInitial, learnedStart } from '../../ops/learned-start.ts';
import { createStepInputs } from '../../ops/step-inputs.ts';
import { keyOf } from '../../random/philox.ts';
import { initialValues } from '../../train/initial-values.ts';
import { expectPositive } from '../../checks.ts';
import { type EpropPrograms, traceEprop } from './programs.ts';
import {
  checkEprop,
  epropParameters,
  type EpropStructure,
  LEARNED,
  learnedOf,
} from './structure.ts';

interface EpropSettings {
  readonly seed: number;
  readonly learningRate: number;
  /** Largest global norm of a gradient. */
  readonly clipNorm: number;
}

/** Sequences and target readouts. */
export interface EpropBatch {
  /** `bits[steps, batch, inputs]` */
  readonly inputs: Uint32Array;
  /** `[steps, batch, outputs]` */
  readonly targets: Float32Array;
}

/** A network that learns by e-prop. */
export interface EpropRun {
  /** Runs a batch of sequences and updates the weights; returns the mean of half the squared error. */
  learn(batch: EpropBatch): Promise<number>;
  /** The same without learning. */
  loss(batch: EpropBatch): Promise<number>;
  /** Readout in the last step of the last batch, `[batch, outputs]`. */
  readout(): Promise<Float32Array>;
  /** Weights, or gradients of the last batch, of a parameter: see `epropParameters`. */
  weights(name: string): Promise<Float32Array>;
  gradients(name: string): Promise<Float32Array>;
  close(): void;
}

const optimiser = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/** Opens a network with weights drawn from the seed. Throws EngineError where a setting cannot be. */
export async function openEprop(
  backend: Backend,
  structure: EpropStructure,
  { seed, learningRate, clipNorm }: EpropSettings,
): Promise<EpropRun> {
  checkEprop(structure);
  expectPositive('eprop', 'learningRate', learningRate);
  expectPositive('eprop', 'clipNorm', clipNorm);
  const layout = layOutParameters(epropParameters(structure));
  const traced = traceEprop(layout, structure, optimiser);
  const player = await backend.load(layout, [traced.begin, traced.step, traced.update]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, firstValues(structure, parameter, seed));
  }
  if (traced.feedback) {
    // As large as output weights, but drawn from another seed.
    player.write(traced.feedback, initialValues(layout.get('output'), seed + 1));
  }
  const stepInputs = createStepInputs({
    seed: keyOf(seed),
    weightDecay: 0,
    clipNorm,
    beta1: optimiser.beta1,
    beta2: optimiser.beta2,
  });
  let updates = 0;
  const play = async (batch: EpropBatch, learns: boolean) => {
    playSequence(player, traced, structure, batch);
    if (learns) {
      stepInputs.set(updates++, learningRate);
      // The history of gradient norms has one entry.
      stepInputs.clock[1] = 0;
      player.write(traced.optimiser.clock, stepInputs.clock);
      player.write(traced.optimiser.rates, stepInputs.rates);
      player.play(traced.update);
    }
    // Losses are always read as f32.
    const losses = (await player.read(traced.state.loss)) as Float32Array;
    return losses.reduce((sum, loss) => sum + loss, 0) / wordCount(traced.targets);
  };
  const read = async (tensor: Tensor) => (await player.read(tensor)) as Float32Array;
  return {
    learn: (batch) => play(batch, true),
    loss: (batch) => play(batch, false),
    readout: () => read(traced.state.readout),
    weights: (name) => read(layout.get(name).value),
    gradients: (name) => read(layout.get(name).gradient),
    close: () => player.close(),
  };
}

/** Weights are drawn; what neurons learn begins as their equations say. */
function firstValues(structure: EpropStructure, parameter: Parameter, seed: number): Float32Array {
  const { name } = parameter.spec;
  if (name === LEARNED.layer) return Float32Array.from(learnedOf(structure, 'layer'), learnedStart);
  if (name !== LEARNED.neuron) return initialValues(parameter, seed);
  const { neurons } = structure;
  const shape = [neurons];
  const value = { ...parameter.value, shape };
  return Float32Array.from(
    learnedOf(structure, 'neuron').flatMap((learned) => {
      const spec = { ...parameter.spec, name: `${name}.${learned.name}`, shape };
      const own = { ...parameter, value, spec: { ...spec, initial: learnedInitial(learned) } };
      return [...initialValues(own, seed)];
    }),
  );
}

/** A batch from the initial state to its last step, in one submission. */
function playSequence(
  player: Player,
  { begin, step, clock, inputs, targets }: EpropPrograms,
  { steps }: EpropStructure,
  batch: EpropBatch,
): void {
  for (const [tensor, { length }] of [
    [inputs, batch.inputs],
    [targets, batch.targets],
  ] as const) {
    if (length === wordCount(tensor)) continue;
    throw new EngineError(
      'shape-mismatch',
      `eprop: ${tensor.name} are ${length} words, expected ${wordCount(tensor)}`,
    );
  }
  player.write(inputs, batch.inputs);
  player.write(targets, batch.targets);
  player.write(clock, new Uint32Array(4));
  player.play(begin);
  player.play(step, steps);
}

/**
 * The graph floor: tensors, ops, gradients and programs of one's own. `compile` loads functions that record a
 * step op by op; networks of the layer floor are part of it by `forward`.
 */
export { openBackend } from '../engine/backends/open-backend.ts';
export type { Backend, Player } from '../engine/graph/backend.ts';
export type { GradientRule, Gradients } from '../engine/graph/gradient-rule.ts';
export { Graph } from '../engine/graph/graph.ts';
export {
  type Initial,
  layOutParameters,
  type Parameter,
  type ParameterLayout,
  type ParameterSpec,
  parameterValues,
} from '../engine/graph/parameters.ts';
export { formatPlan, memoryOf, type Program } from '../engine/graph/program.ts';
export type { DType, Tensor } from '../engine/graph/tensor.ts';
export {
  compile,
  type Compiled,
  type CompileOptions,
  type OptimizerPart,
  type Played,
  type PlayProgram,
  type Trace,
} from '../engine/layers/compile.ts';
export { activation } from '../engine/ops/activation.ts';
export { adamW } from '../engine/ops/adamw.ts';
export { alif } from '../engine/ops/alif.ts';
export { conv2d, conv2dImage } from '../engine/ops/conv2d.ts';
export { crossEntropy } from '../engine/ops/cross-entropy.ts';
export { dropout } from '../engine/ops/dropout.ts';
export { equationNeuron } from '../engine/ops/equation-neuron.ts';
export { formula } from '../engine/ops/formula.ts';
export { differentiate } from '../engine/ops/gradients.ts';
export { holdSteps } from '../engine/ops/hold-steps.ts';
export { keep } from '../engine/ops/keep.ts';
export { leakyMembrane } from '../engine/ops/leaky.ts';
export { lif } from '../engine/ops/lif.ts';
export { linear, spikeLinear } from '../engine/ops/linear.ts';
export { layerNorm, rmsNorm } from '../engine/ops/norm.ts';
export { averagePool2d, sumPool2d } from '../engine/ops/pool2d.ts';
export { randomSpikes } from '../engine/ops/random.ts';
export { meanSteps } from '../engine/ops/readout.ts';
export { recurrentLif } from '../engine/ops/recurrent-lif.ts';
export { batchLoss, rowCrossEntropy, rowMeans, rowSquaredError } from '../engine/ops/row-losses.ts';
export { clockInput, packClock, packRates, ratesInput } from '../engine/ops/step-inputs.ts';
export {
  firstSpike,
  lastStep,
  maxSteps,
  spikeCounts,
  spikeRates,
  spikeValues,
  sumSteps,
} from '../engine/ops/time-readouts.ts';

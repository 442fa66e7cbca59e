/**
 * spikegrid: spiking neural networks, defined, trained and looked into. A network is a value, `sequential([...])`;
 * `init` makes it a model on a device, `fit` trains it. Losses and optimizers have entries of their own.
 */
export { applyRemedy, type Remedied } from '../engine/diagnosis/apply-remedy.ts';
export { diagnose, type Diagnosis } from '../engine/diagnosis/diagnose-model.ts';
export type { Finding } from '../engine/diagnosis/findings.ts';
export { DEVICES, type DeviceChoice } from '../engine/backends/device-choice.ts';
export { openBackend } from '../engine/backends/open-backend.ts';
export { EngineError, type EngineErrorCode } from '../engine/errors.ts';
export type { Backend, DeviceDescription } from '../engine/graph/backend.ts';
export type { Surrogate } from '../engine/kernels/neurons.ts';
export type { Picture } from '../engine/layers/canvas-inputs.ts';
export type { Data } from '../engine/layers/batch-source.ts';
export { activation, flatten, linear } from '../engine/layers/dense.ts';
export { delayedLinear, delays } from '../engine/layers/delays.ts';
export { evaluate, type EvaluateOptions, type Evaluation } from '../engine/layers/evaluate.ts';
export type { Inputs } from '../engine/layers/example-inputs.ts';
export type { Targets } from '../engine/layers/example-targets.ts';
export type { ExampleArrays } from '../engine/layers/examples.ts';
export type {
  EarlyStopping,
  EpochReport,
  FitOptions,
  StepReport,
} from '../engine/layers/fit-options.ts';
export { fit, type History } from '../engine/layers/fit.ts';
export {
  averagePool,
  conv1d,
  conv2d,
  depthwiseConv2d,
  maxPool,
  sumPool,
} from '../engine/layers/images.ts';
export type { Inspection, LayerSummary } from '../engine/layers/inspect.ts';
export type { Layer, Shape } from '../engine/layers/layer.ts';
export { lif, recurrentLif } from '../engine/layers/lif.ts';
export {
  init,
  type InitOptions,
  load,
  type Model,
  type PredictOptions,
} from '../engine/layers/model.ts';
export { networkFrom } from '../engine/layers/network-json.ts';
export { type Network, type NetworkJson, sequential } from '../engine/layers/network.ts';
export { neuron } from '../engine/layers/neurons.ts';
export type { LayerObservation, Observation } from '../engine/layers/observe.ts';
export { type FitPlan, planFit, type PlanFitOptions } from '../engine/layers/plan-fit.ts';
export type { Prediction } from '../engine/layers/predict.ts';
export { dropout, layerNorm, residual, rmsNorm } from '../engine/layers/shaping.ts';
export { adlif, alif, currentLif, plif } from '../engine/layers/written-neurons.ts';
export {
  crossEntropyLoss as crossEntropy,
  perStepLoss as crossEntropyPerStep,
} from '../engine/losses/cross-entropy.ts';
export type { Loss } from '../engine/losses/loss.ts';
export type { OutputKind } from '../engine/losses/outputs.ts';
export { squaredErrorLoss as squaredError } from '../engine/losses/squared-error.ts';
export { adam, adamW, sgd } from '../engine/optimizers/descent.ts';
export type { Optimizer } from '../engine/optimizers/optimizer.ts';
export { cosineRate, oneCycleRate, type Schedule } from '../engine/optimizers/schedules.ts';

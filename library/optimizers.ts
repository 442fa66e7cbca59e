/**
 * Optimizers, as values for `fit` and for loops of one's own; the first argument is the learning rate. Schedules give
 * the share of it for a step; averages of weights are kept beside them.
 */
export { adam, adamW, lion, sgd } from '../engine/optimizers/descent.ts';
export { muon } from '../engine/optimizers/muon.ts';
export type {
  Optimizer,
  OptimizerOptions,
  ParameterGroup,
} from '../engine/optimizers/optimizer.ts';
export {
  constantRate,
  cosineRate,
  exponentialRate,
  oneCycleRate,
  type PlateauRate,
  plateauRate,
  type Schedule,
  stepRate,
} from '../engine/optimizers/schedules.ts';
export { meanOfWeights, movingAverage } from '../engine/optimizers/weight-average.ts';

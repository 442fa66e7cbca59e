/** Optimizers, as values for `fit` and for loops of one's own. The first argument is the learning rate. */
export { adam, adamW, lion, sgd } from '../engine/optimizers/descent.ts';
export type {
  Optimizer,
  OptimizerOptions,
  ParameterGroup,
} from '../engine/optimizers/optimizer.ts';

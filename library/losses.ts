/**
 * Losses of a network's last layer and of its rates. Each is a value for `fit`; `ownLoss` makes one from a function
 * that calls ops on the graph, `sum` adds several up by their weights.
 */
export { ownLoss, type WeightedLoss, weightedLoss as sum } from '../engine/losses/combine.ts';
export {
  crossEntropyLoss as crossEntropy,
  perStepLoss as crossEntropyPerStep,
} from '../engine/losses/cross-entropy.ts';
export type { LayerSpikes, Loss, LossOutputs, TargetKind } from '../engine/losses/loss.ts';
export type { OutputKind } from '../engine/losses/outputs.ts';
export { rateBoundsLoss as rateBounds, rateNormLoss as rateNorm } from '../engine/losses/rates.ts';
export {
  squaredErrorLoss as squaredError,
  vanRossumLoss as vanRossum,
} from '../engine/losses/squared-error.ts';

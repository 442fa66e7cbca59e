/** What a float transformer is good for beside writing text, for index.ts: it teaches, and becomes spikes. */
export {
  type Conversion,
  type ConversionOptions,
  convertTransformer,
  type SpikingLoss,
} from './models/standard-transformer/conversion.ts';
export { defaultDistillation } from './models/standard-transformer/distillation.ts';
export { type Distillation } from './models/language/loss-rule.ts';

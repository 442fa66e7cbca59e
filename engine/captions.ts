/** Captions of pictures and sounds, for index.ts. */
export {
  captionCosts,
  type CaptionFigures,
  captionFigures,
  type CaptionReader,
  pairCosts,
} from './evaluation/caption-scores.ts';
export { type Captioner, type CaptionRequest, openCaptioner } from './models/captioner.ts';
export {
  isPrefixedSpec,
  type PrefixedSpec,
  type PrefixInputs,
  prefixInputsOf,
  type PrefixMedia,
} from './models/prefix-inputs.ts';
export { CAPTION_MARK } from './data/captions/caption-batches.ts';

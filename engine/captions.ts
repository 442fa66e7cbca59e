/** Captions of pictures and sounds, for index.ts. */
export {
  captionCosts,
  type CaptionFigures,
  captionFigures,
  type CaptionReader,
  pairCosts,
} from './models/captioning/caption-costs.ts';
export {
  type Captioner,
  type CaptionRequest,
  openCaptioner,
} from './models/captioning/captioner.ts';
export {
  isPrefixedSpec,
  type PrefixedSpec,
  prefixInputsOf,
} from './models/captioning/prefix-inputs.ts';
export { type PrefixInputs, type PrefixMedia } from './models/captioning/prefix.ts';
export { CAPTION_MARK } from './data/captions/batches.ts';

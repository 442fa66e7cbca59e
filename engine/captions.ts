/** Captions of pictures and sounds, for index.ts. */
export {
  captionCosts,
  type CaptionFigures,
  captionFigures,
  type CaptionReader,
  pairCosts,
} from './evaluation/caption-scores.ts';
export {
  type Captioner,
  type CaptionRequest,
  openCaptioner,
} from './models/spiking-multimodal/captioner.ts';

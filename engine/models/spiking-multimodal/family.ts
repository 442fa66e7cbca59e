import { modelOf } from '../../checkpoint/checkpoint.ts';
import { captionTokenizer } from '../../data/captions/caption-batches.ts';
import { type CaptionedSet, openCaptions } from '../../data/captions/captions.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import type { ModelFamily, RunData } from '../../families/family.ts';
import { startCaptionRun } from '../../train/caption-run.ts';
import { captionModelOf } from './caption-model.ts';
import { augmentation } from './augmentation.ts';
import {
  captionOptions,
  checkMultimodalSettings,
  imageInput,
  multimodalStructure,
} from './settings.ts';
import { captionTokenizerOf } from './caption-tokenizer.ts';
import { multimodalPlan } from './plan.ts';
import { multimodalSpecOf } from './spec.ts';

/** Captioned pictures, sounds or both as the data of a run. */
export interface CaptionData extends RunData {
  readonly set: CaptionedSet;
  readonly tokenizer: Tokenizer;
}

export const multimodalFamily: ModelFamily<CaptionData> = {
  ...multimodalPlan,
  async openData(files, settings, { base, ...options } = {}) {
    const set = await openCaptions(files, { ...captionOptions(settings), ...options });
    const tokenizer = base
      ? captionTokenizerOf(modelOf(base, 'spiking_multimodal'))
      : captionTokenizer(set);
    const shape = {
      vocabulary: tokenizer.size,
      images: set.pictures ? 1 : 0,
      sounds: set.sounds ? 1 : 0,
    };
    const { name, digest, captions } = set;
    return { name, digest, length: captions.length, shape, set, tokenizer };
  },
  createRun(options, { set, tokenizer, shape }) {
    checkMultimodalSettings(options.settings);
    const structure = multimodalStructure(options.settings, shape);
    return startCaptionRun(options, {
      model: captionModelOf(structure),
      set,
      tokenizer,
      patch: imageInput.patch,
      augmentation,
      spec: (reference) => multimodalSpecOf(structure, reference),
    });
  },
};

import { modelOf } from '../stored-model.ts';
import { captionTokenizer } from '../../data/captions/batches.ts';
import { type CaptionedSet, openCaptions } from '../../data/captions/open-captions.ts';
import type { Tokenizer } from '../../data/tokenizer.ts';
import type { RunData } from '../../checkpoint/run-data.ts';
import type { FamilyTraining } from '../family.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { traceCaptionTraining } from '../captioning/caption-model.ts';
import { startCaptionRun } from '../captioning/caption-run.ts';
import { captionModelOf } from './caption-model.ts';
import { augmentation } from './augmentation.ts';
import {
  captionOptions,
  checkMultimodalSettings,
  imageInput,
  multimodalStructure,
} from './settings.ts';
import { captionTokenizerOf } from './caption-tokenizer.ts';
import { multimodalSpecOf, multimodalStructureFrom } from './spec.ts';

/** Captioned pictures, sounds or both as the data of a run. */
export interface CaptionData extends RunData {
  readonly set: CaptionedSet;
  readonly tokenizer: Tokenizer;
}

export const training: FamilyTraining<CaptionData> = {
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
  stepPrograms(stored) {
    const { spec, execution } = modelOf(stored, 'spiking_multimodal');
    const { batch } = settingsOf(execution, spec.architecture);
    const model = captionModelOf(multimodalStructureFrom(spec));
    return [traceCaptionTraining(model, batch, controlsOf(execution)).program];
  },
};

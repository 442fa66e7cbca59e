import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { RunData } from '../../checkpoint/run-data.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { type Augmentation, captionTokenizer } from '../../data/captions/caption-batches.ts';
import { type CaptionedSet, openCaptions } from '../../data/captions/captions.ts';
import type { CharacterTokenizer } from '../../data/tokenizers/character-tokenizer.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import { EngineError } from '../../errors.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { type CaptionModel, traceCaptionTraining } from '../captioning/caption-model.ts';
import { startCaptionRun } from '../captioning/caption-run.ts';
import { prefixesOf } from '../captioning/prefix.ts';
import type { FamilyTraining } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import {
  captionOptions,
  checkMultimodalSettings,
  imageInput,
  type MultimodalSpec,
  multimodalSpecOf,
  multimodalStructure,
  multimodalStructureFrom,
} from './family.ts';
import { multimodalLogits } from './forward.ts';
import { checkMultimodal, multimodalParameters, type MultimodalStructure } from './structure.ts';

/** Captioned images, sounds or both as the data of a run. */
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

/**
 * How pairs are varied in training. Images are never mirrored: captions say left and right. Hidden
 * tokens make the image worth looking at (Bowman et al. 2016: word dropout): some captions are seen
 * nearly whole, of others hardly more is told than the image tells.
 */
export const augmentation: Augmentation = { shift: 2, contrast: 0.2, hidden: 1 };

/** The characters of a stored model. Throws EngineError `checkpoint-mismatch` for other tokens. */
function captionTokenizerOf({ tokenizer }: StoredModel<MultimodalSpec>): CharacterTokenizer {
  if (tokenizer.kind === 'character') return tokenizer;
  throw new EngineError(
    'checkpoint-mismatch',
    `the model writes captions in ${tokenizer.kind} tokens: expected characters`,
  );
}

/** Of the tokens that enter the trunk and of what leaves it: against learning captions by heart. */
const DROPOUT = 0.2;

/** The family as training and evaluation see it. Throws as `checkMultimodal`. */
export function captionModelOf(
  structure: MultimodalStructure,
): CaptionModel & { readonly structure: MultimodalStructure } {
  checkMultimodal(structure);
  return {
    structure,
    layout: layOutParameters(multimodalParameters(structure)),
    prefixes: prefixesOf(structure),
    sequence: structure.sequence,
    vocabulary: structure.trunk.vocabulary,
    ngramOrder: structure.trunk.ngramOrder ?? 0,
    dropout: DROPOUT,
    logits: (graph, inputs, hooks) => multimodalLogits(graph, structure, inputs, hooks),
  };
}

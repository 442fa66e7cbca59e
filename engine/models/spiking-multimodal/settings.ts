import type { CaptionOptions } from '../../data/captions/open-captions.ts';
import { mfccDefaults } from '../../data/mel.ts';
import type { DataShape } from '../../checkpoint/run-data.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { defaultNeuron } from '../dense-chronospike/structure.ts';
import { type MultimodalFields, multimodalFields } from './description.ts';
import { checkMultimodal, type MultimodalStructure, multimodalTau } from './structure.ts';
import { type ImageInput, prefixesOf, prefixTokens } from '../captioning/prefix.ts';

/** Pictures as the family sees them: sixteen patches. */
export const imageInput: ImageInput = { width: 32, height: 32, channels: 3, patch: 8 };

export function fieldsOf({ architecture, fields }: RunSettings): MultimodalFields {
  return readFields(architecture, multimodalFields, fields);
}

/** How the data of a run is read. */
export function captionOptions(settings: RunSettings): CaptionOptions {
  return { captionKey: fieldsOf(settings).caption_key, picture: imageInput, sound: mfccDefaults };
}

/** The structure that settings ask for, over data of this shape: `vocabulary`, and 1 for `images`, `sounds` it has. */
export function multimodalStructure(
  settings: RunSettings,
  { vocabulary = 1, images = 0, sounds = 0 }: DataShape,
): MultimodalStructure {
  const { d_model: width, n_heads: heads, num_blocks: blocks, ...fields } = fieldsOf(settings);
  const { time_steps: steps, caption_seq_len: sequence } = fields;
  const inputs = {
    ...(images > 0 && { image: imageInput }),
    ...(sounds > 0 && { audio: mfccDefaults }),
  };
  const trunk = { vocabulary, width, heads, blocks, steps, tau: [], ...defaultNeuron };
  const tokens = prefixTokens(prefixesOf(inputs)) + sequence;
  return { trunk: { ...trunk, tau: multimodalTau(heads, tokens) }, sequence, ...inputs };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function checkMultimodalSettings(settings: RunSettings): void {
  checkRun(settings);
  checkMultimodal(multimodalStructure(settings, { vocabulary: 1, images: 1 }));
}

import type { CaptionOptions } from '../../data/captions/open-captions.ts';
import { mfccDefaults } from '../../data/mel.ts';
import type { DataShape } from '../../checkpoint/run-data.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import type { SparseLearning } from '../sparse-event-memory/learning.ts';
import { backboneLearning, backboneStructure } from '../sparse-event-memory/settings.ts';
import { imageInput } from '../spiking-multimodal/settings.ts';
import type { ImageInput } from '../captioning/prefix.ts';
import { type MemoriedFields, memoriedFields } from './description.ts';
import { checkStreamedStructure, type StreamedStructure } from './structure.ts';

/** What the settings of a run ask for, in the engine's words. */
export interface MemoriedSettings {
  readonly structure: StreamedStructure;
  readonly learning: SparseLearning;
}

export function memoriedFieldsOf({ architecture, fields }: RunSettings): MemoriedFields {
  return readFields(architecture, memoriedFields, fields);
}

/** How the data of a run is read. */
export function streamOptions(fields: MemoriedFields): CaptionOptions {
  return { captionKey: fields.caption_key, picture: patchedImage(fields), sound: mfccDefaults };
}

/**
 * What settings ask for, over data of this shape: `vocabulary` of its text, `classes`, and 1 for `images`,
 * `sounds` it has. Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was
 * expected.
 */
export function memoriedSettings(settings: RunSettings, shape: DataShape): MemoriedSettings {
  checkRun(settings);
  const fields = memoriedFieldsOf(settings);
  const { vocabulary: text = 1, images = 0, sounds = 0, classes = 1 } = shape;
  const structure: StreamedStructure = {
    ...backboneStructure(fields),
    vocabularies: {
      text,
      image: images > 0 ? fields.image_codes : 1,
      audio: sounds > 0 ? fields.audio_codes : 1,
    },
    classes,
    caption: fields.caption_seq_len,
    ...(images > 0 && { image: patchedImage(fields) }),
    ...(sounds > 0 && { audio: mfccDefaults }),
  };
  checkStreamedStructure(structure);
  return { structure, learning: backboneLearning(fields) };
}

function patchedImage({ image_patch: patch }: MemoriedFields): ImageInput {
  return { ...imageInput, patch };
}

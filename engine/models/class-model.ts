import type { Backend } from '../graph/backend.ts';
import { modelOf, type StoredModel } from '../checkpoint/checkpoint.ts';
import type { ModelSpec, SpecOf } from '../checkpoint/model-spec.ts';
import { EngineError } from '../errors.ts';
import { classLabels, type ClassModel, type Media } from './class-answer.ts';
import type { PrefixMedia } from './prefix-inputs.ts';
import { expectSound, openSoundModel } from './spiking-audio/sound-model.ts';
import { expectPicture, openPictureModel } from './spiking-vision/picture-model.ts';

/** The spec of a model that tells classes apart. */
export type ClassSpec = SpecOf<'spiking_vision'> | SpecOf<'spiking_audio'>;

export function isClassSpec(spec: ModelSpec): spec is ClassSpec {
  return spec.architecture === 'spiking_vision' || spec.architecture === 'spiking_audio';
}

/** What a model is to be shown. */
export function mediaOf({ architecture }: ClassSpec): Media['kind'] {
  return architecture === 'spiking_vision' ? 'image' : 'audio';
}

/** The names of the classes that a model of streams tells beside the text it writes; none of other models. */
export function classNamesOf(spec: ModelSpec): readonly string[] {
  const isStreamed = spec.architecture === 'memoried_spikenetlm' && spec.core.labels.length > 1;
  return isStreamed ? spec.core.labels : [];
}

/** The names of a classifier's classes, by their numbers. */
export function labelsOf(spec: ClassSpec): readonly string[] {
  const classes = spec.architecture === 'spiking_vision' ? spec.output_dim : spec.output_neurons;
  return classLabels(spec.core.class_names, classes);
}

/** The one picture or sound that is to be told. Throws EngineError `invalid-setting` where there is none. */
export function shownMedia({ picture, sound }: PrefixMedia): Media {
  if (picture) return { kind: 'image', picture };
  if (sound) return { kind: 'audio', sound };
  throw new EngineError(
    'invalid-setting',
    'there is nothing to tell: expected a picture or a sound',
  );
}

/** Throws EngineError `images-invalid` or `signal-invalid` for what the model cannot be shown. */
export function checkMedia(spec: ClassSpec, media: Media): void {
  if (spec.architecture === 'spiking_vision') expectPicture(spec, media);
  else expectSound(media);
}

/**
 * Loads a model that answers one picture or sound at a time. Throws EngineError `checkpoint-mismatch` for one
 * that tells no classes apart.
 */
export function openClassModel(backend: Backend, stored: StoredModel): Promise<ClassModel> {
  const { spec } = stored;
  if (spec.architecture === 'spiking_vision') {
    return openPictureModel(backend, modelOf(stored, spec.architecture));
  }
  if (spec.architecture === 'spiking_audio') {
    return openSoundModel(backend, modelOf(stored, spec.architecture));
  }
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${spec.architecture} model (${spec.model_family}), which tells no classes apart`,
  );
}

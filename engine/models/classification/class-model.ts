import type { Backend } from '../../graph/backend.ts';
import type { ModelSpec, StoredModel } from '../../checkpoint/checkpoint.ts';
import { EngineError } from '../../errors.ts';
import type { PrefixMedia } from '../captioning/prefix.ts';
import { familyOf, type KnownSpec } from '../families.ts';
import { loadReading } from '../load-reading.ts';
import type { ClassModel, Media } from './prediction.ts';

/** The spec of a classifier. */
export type ClassSpec = Exclude<KnownSpec, { readonly tokenizer: unknown }>;

export function isClassSpec(spec: ModelSpec): spec is ClassSpec {
  return familyOf(spec.architecture).classes !== undefined;
}

/** The kind of media that a classifier takes. */
export const mediaOf = (spec: ClassSpec): Media['kind'] => classesOf(spec).kind;

/** The names of a classifier's classes, by their numbers. */
export const labelsOf = (spec: ClassSpec): readonly string[] => classesOf(spec).labels(spec);

/** Throws EngineError `images-invalid` or `signal-invalid` for media that the model does not take. */
export const checkMedia = (spec: ClassSpec, media: Media): void =>
  classesOf(spec).check(spec, media);

function classesOf({ architecture }: ClassSpec) {
  const { classes } = familyOf(architecture);
  if (classes) return classes;
  throw new TypeError(`${architecture} has no classes`);
}

/** The names of the classes that a model of streams predicts beside its text; none of other models. */
export function classNamesOf(spec: ModelSpec): readonly string[] {
  return familyOf(spec.architecture).pooledLabels?.(spec) ?? [];
}

/** The one image or sound of a request. Throws EngineError `invalid-setting` where there is none. */
export function shownMedia({ picture, sound }: PrefixMedia): Media {
  if (picture) return { kind: 'image', picture };
  if (sound) return { kind: 'audio', sound };
  throw new EngineError(
    'invalid-setting',
    'there is nothing to classify: expected an image or audio',
  );
}

/**
 * Loads a model that classifies one image or sound at a time. Throws EngineError `checkpoint-mismatch` for
 * one that is no classifier.
 */
export async function openClassModel(backend: Backend, stored: StoredModel): Promise<ClassModel> {
  const { architecture, model_family: name } = stored.spec;
  const { openClasses } = await loadReading(architecture);
  if (openClasses) return openClasses(backend, stored);
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${name}), which is no classifier`,
  );
}

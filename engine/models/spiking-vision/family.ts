import { imageExamples } from '../../data/images/image-examples.ts';
import { openImageSets, type ImageSets } from '../../data/images/image-sets.ts';
import type { ModelFamily, RunData } from '../../families/family.ts';
import { startExampleRun } from '../../train/example-run.ts';
import { structureFor, visionFieldsOf, visionPlan } from './plan.ts';
import { visionSpecOf } from './spec.ts';
import { visionClassifier } from './structure.ts';

/** Pictures as the data of a run. */
export interface VisionData extends RunData {
  readonly pictures: ImageSets;
}

export const visionFamily: ModelFamily<VisionData> = {
  ...visionPlan,
  async openData(files, _settings, { signal, onProgress } = {}) {
    const pictures = await openImageSets(files, { ...(signal && { signal }) });
    const bytes = files.files.reduce((sum, { size }) => sum + size, 0);
    onProgress?.(bytes, bytes);
    const { image, learned, digest } = pictures;
    const shape = { ...image, classes: learned.classes };
    return { name: files.name, digest, length: learned.count, shape, pictures };
  },
  createRun(options, { name, digest, length, pictures }) {
    const { settings } = options;
    const { image, learned, validation, classNames } = pictures;
    const fields = visionFieldsOf(settings);
    const structure = structureFor(settings, image);
    return startExampleRun(options, {
      classifier: visionClassifier(structure),
      spec: visionSpecOf(structure, { image, classNames, fields }),
      data: { name, sha256: digest, examples: length },
      learned: imageExamples(learned, image),
      validation: imageExamples(validation, image),
      form: fields,
      privacyLevel: fields.privacy_level,
    });
  },
};

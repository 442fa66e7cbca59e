import type { RunData } from '../../checkpoint/run-data.ts';
import { imageExamples } from '../../data/images/image-examples.ts';
import { variedImages } from '../../data/images/varied-images.ts';
import { openImageSets, type ImageSets } from '../../data/images/image-sets.ts';
import { startExampleRun } from '../classification/example-run.ts';
import { classifierPrograms } from '../classification/private-programs.ts';
import type { FamilyTraining } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import { visionClassifier } from './classifier.ts';
import { structureFor, visionFieldsOf, visionSpecOf, visionStructureFromSpec } from './family.ts';

/** Images as the data of a run. */
export interface VisionData extends RunData {
  readonly pictures: ImageSets;
}

export const training: FamilyTraining<VisionData> = {
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
      learned: variedImages(learned, image, {
        augmentation: fields.augmentation,
        isPrivate: fields.privacy_level !== 'none',
      }),
      validation: imageExamples(validation, image),
      form: fields,
      privacyLevel: fields.privacy_level,
    });
  },
  stepPrograms(stored) {
    const { spec, execution } = modelOf(stored, 'spiking_vision');
    return classifierPrograms(visionClassifier(visionStructureFromSpec(spec)), execution);
  },
};

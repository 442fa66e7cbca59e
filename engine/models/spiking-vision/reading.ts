import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { resizeImage } from '../../data/images/resize-image.ts';
import { shapeOf } from '../../data/images/image-sets.ts';
import { openClassScorer } from '../classification/class-scorer.ts';
import { type ClassModel, predictionOf } from '../classification/prediction.ts';
import type { FamilyReading } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import { visionClassifier, visionOperations } from './classifier.ts';
import { expectImage, type VisionSpec, visionStructureFromSpec } from './family.ts';

const BRIGHTEST = 255;

/** Loads a model that tells one image at a time. */
async function openImageModel(
  backend: Backend,
  { spec, values }: StoredModel<VisionSpec>,
): Promise<ClassModel> {
  const structure = visionStructureFromSpec(spec);
  const shape = shapeOf(spec.core.image);
  const scorer = await openClassScorer(backend, {
    classifier: visionClassifier(structure),
    values,
    sizes: [1],
    work: visionOperations(structure),
  });
  return {
    async answer(media) {
      const pixels = resizeImage(expectImage(spec, media), shape);
      return predictionOf(
        scorer,
        Float32Array.from(pixels, (pixel) => pixel / BRIGHTEST),
      );
    },
    close: () => scorer.close(),
  };
}

export const reading: FamilyReading = {
  openClasses: (backend, stored) => openImageModel(backend, modelOf(stored, 'spiking_vision')),
};

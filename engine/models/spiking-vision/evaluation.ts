import { modelOf } from '../stored-model.ts';
import { joinExamples } from '../../data/examples.ts';
import { imageExamples } from '../../data/images/image-examples.ts';
import { openImageSets } from '../../data/images/image-sets.ts';
import { openExampleEvaluation, partsOf } from '../classification/example-evaluation.ts';
import type { OpenEvaluation } from '../../evaluation/evaluator.ts';
import { visionStructureFromSpec } from './family.ts';
import { visionClassifier, visionOperations } from './classifier.ts';

/** Judges a model by images of a data set. Throws as `openImageSets`. */
export const openEvaluation: OpenEvaluation = async (sources) => {
  const { backend, stored, data, choice, signal } = sources;
  const { spec, values } = modelOf(stored, 'spiking_vision');
  const { image, class_names: classNames } = spec.core;
  const structure = visionStructureFromSpec(spec);
  const pictures = await openImageSets(data, { image, ...(signal && { signal }) });
  const [first, ...others] = partsOf(choice.split, pictures);
  const { split } = choice;
  return openExampleEvaluation(
    backend,
    {
      classifier: visionClassifier(structure),
      values,
      work: visionOperations(structure),
      classNames,
      unit: 'image',
    },
    {
      examples: joinExamples([
        imageExamples(first, image),
        ...others.map((set) => imageExamples(set, image)),
      ]),
      classNames: pictures.classNames,
      data: {
        name: data.name,
        sha256: pictures.digest,
        split,
        length: pictures.learned.count + pictures.validation.count,
      },
    },
  );
};

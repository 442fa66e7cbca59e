import type { KeptSpec, StoredFamily } from '../../families/stored-family.ts';
import { keptSparse } from '../sparse-event-memory/stored.ts';
import { type Prefix, prefixesOf } from '../spiking-multimodal/structure.ts';
import { memoriedParameters } from './parameters.ts';
import { MemoriedSpec, memoriedStructureFrom } from './spec.ts';
import { backboneOf, checkStreamedStructure, type StreamedStructure } from './structure.ts';

/** What becomes codes: patches of pictures, frames of sounds. */
export type CodedModality = Prefix['modality'];

/** What streams are coded by: the shape of a model and of its inputs. */
export type CodedInputs = Pick<StreamedStructure, 'image' | 'audio' | 'vocabularies'>;

/** As the sparse family, and the centroids that image and audio codes stand for. */
export const storedMemoried: StoredFamily<typeof MemoriedSpec> = {
  spec: MemoriedSpec,
  parameters(spec) {
    const structure = memoriedStructureFrom(spec);
    checkStreamedStructure(structure);
    return memoriedParameters(structure);
  },
  kept(spec) {
    const structure = memoriedStructureFrom(spec);
    return [...keptSparse(backboneOf(structure)), ...codebookSpecs(structure)];
  },
};

/** The centroids as they lie in model.safetensors. */
function codebookSpecs(inputs: CodedInputs): KeptSpec[] {
  return prefixesOf(inputs).map(({ modality, features }) => ({
    name: centroidsName(modality),
    dtype: 'F32',
    shape: [inputs.vocabularies[modality], features],
  }));
}

export function centroidsName(modality: CodedModality): string {
  return `${modality}.centroids`;
}

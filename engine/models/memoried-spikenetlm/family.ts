import { defineFamily } from '../family.ts';
import { memoriedDescription } from './description.ts';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { sparseBuffers } from '../sparse-event-memory/family.ts';
import { type Prefix, prefixesOf } from '../captioning/prefix.ts';
import { memoriedParameters } from './parameters.ts';
import { memoriedSettings } from './settings.ts';
import { memoriedMemory } from './sizes.ts';
import { MemoriedSpec, memoriedStructureFrom } from './spec.ts';
import { backboneOf, checkStreamedStructure, type StreamedStructure } from './structure.ts';

/** What becomes codes: patches of pictures, frames of sounds. */
export type CodedModality = Prefix['modality'];

/** What streams are coded by: the shape of a model and of its inputs. */
export type CodedInputs = Pick<StreamedStructure, 'image' | 'audio' | 'vocabularies'>;

export const memoriedSpikenetlm = defineFamily(memoriedDescription, {
  spec: MemoriedSpec,
  parameters(spec) {
    const structure = memoriedStructureFrom(spec);
    checkStreamedStructure(structure);
    return memoriedParameters(structure);
  },
  buffers(spec) {
    const structure = memoriedStructureFrom(spec);
    return [...sparseBuffers(backboneOf(structure)), ...codebookSpecs(structure)];
  },
  prefix: (spec) => ({ ...memoriedStructureFrom(spec), isRequired: false }),
  pooledLabels: ({ core: { labels } }) => (labels.length > 1 ? labels : []),
  assumedShape: { vocabulary: 256, images: 1, sounds: 0, classes: 1 },
  check: (settings) => {
    memoriedSettings(settings, { images: 1 });
  },
  plan: (settings, _controls, shape) =>
    planMemory(memoriedMemory(memoriedSettings(settings, shape), settings.batch)),
});

/** The centroids as they lie in model.safetensors. */
function codebookSpecs(inputs: CodedInputs): BufferSpec[] {
  return prefixesOf(inputs).map(({ modality, features }) => ({
    name: centroidsName(modality),
    dtype: 'F32',
    shape: [inputs.vocabularies[modality], features],
  }));
}

export function centroidsName(modality: CodedModality): string {
  return `${modality}.centroids`;
}

import { preparationFields, textFields } from '../datasets/text-fields.ts';
import { chronospikeFields } from '../models/dense-chronospike/fields.ts';
import { audioFields } from '../models/spiking-audio/fields.ts';
import { visionFields } from '../models/spiking-vision/fields.ts';
import { transformerFields } from '../models/standard-transformer/fields.ts';
import { sparseFields } from '../models/sparse-event-memory/fields.ts';
import { multimodalFields } from '../models/spiking-multimodal/fields.ts';
import { memoriedFields } from '../models/memoried-spikenet/fields.ts';
import type { Architecture, Category } from './architectures.ts';
import type { FieldTable } from './fields.ts';
import { type PresetName, type Recipe, recipes } from './recipes.ts';

/** What forms, command lines and tables show of a family; nothing that computes. */
export interface FamilyFacts {
  /** Its `model_family` in a model_spec. */
  readonly name: string;
  readonly category: Category;
  /** Its own fields beside those of every run. */
  readonly fields: FieldTable;
  /** The fields that data is read by: it is read anew where one of them changes. */
  readonly dataFields: readonly string[];
  /** Its neurons can be watched one by one while it reads (`TrainingRun.observer`). */
  readonly isObserved?: true;
  /** Values that presets put into the fields; each can be edited afterwards. Auto holds where nothing is said. */
  readonly presets: Readonly<Record<PresetName, Recipe>>;
}

export const familyFacts: Readonly<Record<Architecture, FamilyFacts>> = {
  dense_chronospike: {
    name: 'SpikingEvoTextLM',
    category: 'LangText',
    fields: chronospikeFields,
    dataFields: Object.keys(textFields),
    isObserved: true,
    presets: recipes.dense_chronospike,
  },
  spiking_vision: {
    name: 'VisionSNN',
    category: 'Vision',
    fields: visionFields,
    dataFields: [],
    presets: recipes.spiking_vision,
  },
  spiking_audio: {
    name: 'AudioSNN',
    category: 'Audio',
    fields: audioFields,
    // Tones are made up for as many classes.
    dataFields: ['synthetic', 'output_neurons'],
    presets: recipes.spiking_audio,
  },
  standard_transformer: {
    name: 'EvoNetLM',
    category: 'LangText',
    fields: transformerFields,
    dataFields: Object.keys(preparationFields),
    presets: recipes.standard_transformer,
  },
  sparse_event_memory: {
    name: 'SparseEventMemoryLM',
    category: 'LangText',
    fields: sparseFields,
    dataFields: Object.keys(textFields),
    presets: recipes.sparse_event_memory,
  },
  spiking_multimodal: {
    name: 'SpikingEvoMultiModalLM',
    category: 'MultiModal',
    fields: multimodalFields,
    dataFields: ['caption_key', 'caption_seq_len'],
    presets: recipes.spiking_multimodal,
  },
  memoried_spikenetlm: {
    name: 'MemoriedSpikeNetLM',
    category: 'MultiModal',
    fields: memoriedFields,
    dataFields: ['caption_key', 'image_patch', 'image_codes', 'audio_codes'],
    presets: recipes.memoried_spikenetlm,
  },
};

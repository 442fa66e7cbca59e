import { preparationFields, textFields } from '../data/text-fields.ts';
import { chronospikeFields } from '../models/dense-chronospike/fields.ts';
import { chronospikePresets } from '../models/dense-chronospike/presets.ts';
import { audioFields } from '../models/spiking-audio/fields.ts';
import { audioPresets } from '../models/spiking-audio/presets.ts';
import { visionFields } from '../models/spiking-vision/fields.ts';
import { visionPresets } from '../models/spiking-vision/presets.ts';
import { transformerFields } from '../models/standard-transformer/fields.ts';
import { transformerPresets } from '../models/standard-transformer/presets.ts';
import { sparseFields } from '../models/sparse-event-memory/fields.ts';
import { sparsePresets } from '../models/sparse-event-memory/presets.ts';
import { multimodalFields, multimodalPresets } from '../models/spiking-multimodal/fields.ts';
import { memoriedFields, memoriedPresets } from '../models/memoried-spikenet/fields.ts';
import type { Architecture, Category } from './architectures.ts';
import type { Fields, FieldTable } from './fields.ts';

/** Values that a preset puts into the fields; every field can be edited afterwards. */
export interface Preset {
  readonly fields: Fields;
  readonly batch: number;
  readonly learningRate: number;
}

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
  /** The first of them holds where nothing is said. */
  readonly presets: Readonly<Record<string, Preset>>;
}

export const familyFacts: Readonly<Record<Architecture, FamilyFacts>> = {
  dense_chronospike: {
    name: 'SpikingEvoTextLM',
    category: 'LangText',
    fields: chronospikeFields,
    dataFields: Object.keys(textFields),
    isObserved: true,
    presets: chronospikePresets,
  },
  spiking_vision: {
    name: 'VisionSNN',
    category: 'Vision',
    fields: visionFields,
    dataFields: [],
    presets: visionPresets,
  },
  spiking_audio: {
    name: 'AudioSNN',
    category: 'Audio',
    fields: audioFields,
    // Tones are made up for as many classes.
    dataFields: ['synthetic', 'output_neurons'],
    presets: audioPresets,
  },
  standard_transformer: {
    name: 'EvoNetLM',
    category: 'LangText',
    fields: transformerFields,
    dataFields: Object.keys(preparationFields),
    presets: transformerPresets,
  },
  sparse_event_memory: {
    name: 'SparseEventMemoryLM',
    category: 'LangText',
    fields: sparseFields,
    dataFields: Object.keys(textFields),
    presets: sparsePresets,
  },
  spiking_multimodal: {
    name: 'SpikingEvoMultiModalLM',
    category: 'MultiModal',
    fields: multimodalFields,
    dataFields: ['caption_key', 'caption_seq_len'],
    presets: multimodalPresets,
  },
  memoried_spikenetlm: {
    name: 'MemoriedSpikeNetLM',
    category: 'MultiModal',
    fields: memoriedFields,
    dataFields: ['caption_key', 'image_patch', 'image_codes', 'audio_codes'],
    presets: memoriedPresets,
  },
};

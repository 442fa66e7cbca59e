/** Model families as the doors see them: fields, presets, data, runs. */
export { ARCHITECTURES, type Architecture, familyDescriptions } from './models/architectures.ts';
export type { Category, FamilyDescription } from './settings/description.ts';
export {
  expectation,
  type Field,
  type Fields,
  type FieldsOf,
  type FieldTable,
  type FieldValue,
  initialFields,
  readFields,
} from './settings/fields.ts';
export {
  type SpecRecord,
  type StructureDifference,
  structureDifferences,
} from './models/base-structure.ts';
export {
  type Asked,
  type ChoiceContext,
  chooseLeftOut,
  chooseSettings,
  STABLE_BASELINE,
  withChoices,
} from './models/choices.ts';
export { type Choice, type Choices } from './settings/run-settings.ts';
export { type NeuronRules, REWARD_MODES } from './settings/controls.ts';
export { loadFamily, type ModelFamily } from './models/load-family.ts';
export type { DataOptions, DataShape, RunData, TextData } from './checkpoint/run-data.ts';
export { type DataFile, type DataFiles, noFiles, singleFile } from './data/data-files.ts';
export { isZipName, memorySource, zipFiles } from './data/zip-files.ts';
export { DEFAULT_MINUTES, PRESET_NAMES, type PresetName, type Recipe } from './settings/recipes.ts';

export { modelFilesOf, textModelOf, type TextSpec } from './checkpoint/checkpoint.ts';
export { modelOf } from './models/stored-model.ts';

/** Model families as the doors see them: fields, presets, data, runs. */
export { ARCHITECTURES, type Architecture, type Category } from './families/architectures.ts';
export {
  expectation,
  type Field,
  type Fields,
  type FieldsOf,
  type FieldTable,
  type FieldValue,
  initialFields,
  readFields,
} from './families/fields.ts';
export {
  type SpecRecord,
  type StructureDifference,
  structureDifferences,
} from './families/base-structure.ts';
export {
  type Asked,
  type Choice,
  type ChoiceContext,
  type Choices,
  chooseLeftOut,
  chooseSettings,
  STABLE_BASELINE,
  withChoices,
} from './families/choices.ts';
export { type FamilyFacts, familyFacts } from './families/facts.ts';
export { type NeuronRules, REWARD_MODES } from './models/dense-chronospike/neuron-rules.ts';
export { loadFamily } from './families/families.ts';
export type {
  DataOptions,
  DataShape,
  FamilyPlan,
  ModelFamily,
  RunData,
  TextData,
} from './families/family.ts';
export { type DataFile, type DataFiles, noFiles, singleFile } from './data/files/data-files.ts';
export { isZipName, memorySource, zipFiles } from './data/files/zip.ts';
export { DEFAULT_MINUTES, PRESET_NAMES, type PresetName, type Recipe } from './families/recipes.ts';
export type { RunSettings } from './train/run-settings.ts';
export { modelFilesOf, modelOf, textModelOf, type TextSpec } from './checkpoint/checkpoint.ts';

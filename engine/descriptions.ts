/** Model families as data: fields with their limits and presets, for schemas of requests and for forms. */
export {
  ARCHITECTURES,
  type Architecture,
  type Descriptions,
  familyDescriptions,
} from './models/architectures.ts';
export { CATEGORIES, type Category } from './settings/description.ts';
export type { Field, FieldTable } from './settings/fields.ts';

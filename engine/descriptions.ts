/** Model families as data: fields with their limits and presets, for schemas of requests and for forms. */
export { ARCHITECTURES, type Descriptions, familyDescriptions } from './models/architectures.ts';
export { CATEGORIES } from './settings/description.ts';
export type { Field, FieldTable } from './settings/fields.ts';

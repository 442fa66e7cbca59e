/** Model families as data: fields with their limits and presets, for schemas of requests and for forms. */
export { ARCHITECTURES, type Architecture, families, type Families } from './models/families.ts';
export { CATEGORIES, type Category } from './settings/description.ts';
export type { Field, FieldTable } from './settings/fields.ts';

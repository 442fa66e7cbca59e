import type { ModelSearch } from '../../api/queries.ts';
import { text, type Values } from '../../url-state/fields.ts';

/** As long as the registry takes. */
const LONGEST = 128;

/** The filters as they stand in the address. */
export const FILTERS = {
  name: text('', LONGEST),
  type: text('', LONGEST),
  framework: text('', LONGEST),
};
export type Filters = Values<typeof FILTERS>;

export const NO_FILTERS: Filters = { name: '', type: '', framework: '' };

/** What to ask the registry for: only filters that hold something, full-width letters made plain. */
export function searchOf({ name, type, framework }: Filters): ModelSearch {
  const entries = Object.entries({ name, model_type: type, framework })
    .map(([key, value]) => [key, value.normalize('NFKC').trim()] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

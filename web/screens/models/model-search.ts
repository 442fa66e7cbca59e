import type { ModelSearch } from '../../api/model-queries.ts';
import { text, type Values } from '../../url-state/fields.ts';

/** The registry's limits. */
const MAX_LENGTH = 128;
const MAX_TAGS_LENGTH = 1024;

/** The filters in the address. */
export const FILTERS = {
  name: text('', MAX_LENGTH),
  type: text('', MAX_LENGTH),
  framework: text('', MAX_LENGTH),
  alias: text('', MAX_LENGTH),
  tags: text('', MAX_TAGS_LENGTH),
};
export type Filters = Values<typeof FILTERS>;

export const NO_FILTERS: Filters = { name: '', type: '', framework: '', alias: '', tags: '' };

const ALIAS = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const TAG = /^[A-Za-z0-9._-]{1,64}(?::.{0,256})?$/s;

const plain = (written: string) => written.normalize('NFKC').trim();

/** The tags of a filter: `stage:trial, dataset` names two. */
export const tagsOf = (written: string): string[] =>
  plain(written)
    .split(/[,、]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The first invalid tag. */
export const badTagOf = (written: string) => tagsOf(written).find((tag) => !TAG.test(tag));

export const isAlias = (written: string) => ALIAS.test(plain(written));

/** The search: non-empty filters, with full-width letters normalised. */
export function searchOf({ name, type, framework, alias, tags }: Filters): ModelSearch {
  const entries = Object.entries({ name, model_type: type, framework, alias })
    .map(([key, value]) => [key, plain(value)] as const)
    .filter(([key, value]) => value !== '' && (key !== 'alias' || isAlias(value)));
  const tag = tagsOf(tags).filter((written) => TAG.test(written));
  return { ...Object.fromEntries(entries), ...(tag.length > 0 && { tag }) };
}

import type { ModelSearch } from '../../api/model-queries.ts';
import { text, type Values } from '../../url-state/fields.ts';

/** As long as the registry takes. */
const LONGEST = 128;
const LONGEST_TAGS = 1024;

/** The filters as they stand in the address. */
export const FILTERS = {
  name: text('', LONGEST),
  type: text('', LONGEST),
  framework: text('', LONGEST),
  alias: text('', LONGEST),
  tags: text('', LONGEST_TAGS),
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

/** The first tag that the registry would not take. */
export const badTagOf = (written: string) => tagsOf(written).find((tag) => !TAG.test(tag));

export const isAlias = (written: string) => ALIAS.test(plain(written));

/** What to ask the registry for: only filters that hold something, full-width letters made plain. */
export function searchOf({ name, type, framework, alias, tags }: Filters): ModelSearch {
  const entries = Object.entries({ name, model_type: type, framework, alias })
    .map(([key, value]) => [key, plain(value)] as const)
    .filter(([key, value]) => value !== '' && (key !== 'alias' || isAlias(value)));
  const tag = tagsOf(tags).filter((written) => TAG.test(written));
  return { ...Object.fromEntries(entries), ...(tag.length > 0 && { tag }) };
}

import { allOf, type Condition } from '../storage/table-store.ts';
import type { ModelQuery } from './contract/model-list.ts';

/** The filters of a page of models. */
export type ListQuery = Omit<ModelQuery, 'cursor'> & {
  /** Undefined for the models of all teams. */
  readonly team: string | undefined;
};

/** The tables of a list of models, each joined with the version it is shown by, and the filters. */
export function selectionOf(query: ListQuery): Condition & { readonly table: string } {
  const { alias, name, model_type, framework, tag, team } = query;
  const { where, values } = allOf(
    ['models.team = ?', team],
    ['instr(name_folded, ?) > 0', name && fold(name)],
    ['model_type = ?', model_type],
    ['framework = ?', framework],
    ...tag.map(tagCondition),
  );
  const shown =
    alias === undefined
      ? 'models.default_version'
      : '(SELECT version FROM aliases WHERE aliases.model_id = models.model_id AND alias = ?)';
  const table = `models JOIN versions ON versions.model_id = models.model_id
    AND versions.version = ${shown}`;
  return { table, where, values: alias === undefined ? values : [alias, ...values] };
}

/** A tag filter is a key, or a key and a value behind a colon. */
function tagCondition(filter: string): readonly [clause: string, ...values: string[]] {
  const [key = '', ...value] = filter.split(':');
  const hasKey = 'EXISTS (SELECT 1 FROM json_each(tags) AS tag WHERE tag.key = ?';
  if (value.length === 0) return [`${hasKey})`, key];
  return [`${hasKey} AND tag.value = ?)`, key, value.join(':')];
}

/** Folds full-width and half-width forms, and the case of letters, for search. */
export const fold = (text: string) => text.normalize('NFKC').toLowerCase();

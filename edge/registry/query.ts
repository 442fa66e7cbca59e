import type { ModelQuery } from './contract/model-list.ts';

/** What a page of models is chosen by. */
export type PageQuery = Omit<ModelQuery, 'cursor'> & {
  /** Undefined for the models of all teams. */
  readonly team: string | undefined;
};

/** The SQL after SELECT that finds the models of a query, each joined with the version it is shown by. */
export function pageQueryOf({ alias, ...query }: PageQuery): {
  readonly from: string;
  readonly values: readonly string[];
} {
  const { clauses, values } = filtersOf(query);
  const shown =
    alias === undefined
      ? 'models.default_version'
      : '(SELECT version FROM aliases WHERE aliases.model_id = models.model_id AND alias = ?)';
  const from = `FROM models JOIN versions ON versions.model_id = models.model_id
    AND versions.version = ${shown} WHERE ${clauses.join(' AND ')}`;
  return { from, values: alias === undefined ? values : [alias, ...values] };
}

function filtersOf({ name, model_type, framework, tag, team }: Omit<PageQuery, 'alias'>) {
  const clauses = ['1 = 1'];
  const values: string[] = [];
  const add = (clause: string, ...bound: readonly string[]) => {
    clauses.push(clause);
    values.push(...bound);
  };
  if (team !== undefined) add('models.team = ?', team);
  if (name !== undefined) add('instr(name_folded, ?) > 0', fold(name));
  if (model_type !== undefined) add('model_type = ?', model_type);
  if (framework !== undefined) add('framework = ?', framework);
  for (const wanted of tag) {
    const [key = '', ...value] = wanted.split(':');
    const hasTag = 'EXISTS (SELECT 1 FROM json_each(tags) AS tag WHERE tag.key = ?';
    if (value.length === 0) add(`${hasTag})`, key);
    else add(`${hasTag} AND tag.value = ?)`, key, value.join(':'));
  }
  return { clauses, values };
}

/** Full-width and half-width forms, and the cases of letters, are one when searching. */
export const fold = (text: string) => text.normalize('NFKC').toLowerCase();

import type { ModelDetails } from '../../../../edge/registry/contract/model.ts';

export interface AliasRow {
  readonly alias: string;
  readonly version: string;
}

/** The aliases of a model by their names, each with where it points. */
export const aliasesOf = ({ versions }: ModelDetails): AliasRow[] =>
  versions
    .flatMap(({ version, aliases }) => aliases.map((alias) => ({ alias, version })))
    .toSorted((a, b) => (a.alias < b.alias ? -1 : 1));

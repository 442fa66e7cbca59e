import type { Used } from '../http/ownership.ts';

type Row = Record<string, SqlStorageValue>;

/** Of a column of bytes, the runtime also takes a view, which it gives back as a buffer. */
export type Bound = SqlStorageValue | ArrayBufferView;

/** A page of rows in the order of their `seq`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Where the next page starts; undefined after the last one. */
  readonly next: number | undefined;
}

/** The rows that a list selects: what to read of each, and the FROM and WHERE clauses with their values. */
interface Selection extends Condition {
  readonly columns: string;
  readonly table: string;
}

interface PageQuery {
  readonly limit: number;
  /** The `seq` that the page starts after. */
  readonly start: number;
  readonly order?: 'asc' | 'desc';
}

/** A statement as text with `?`, or the texts of a tagged template between its values. */
type Query = string | TemplateStringsArray;

const textOf = (query: Query): string => (typeof query === 'string' ? query : query.join('?'));

/**
 * The base of a class that reads and writes the tables of a Durable Object. Every method of a store is
 * one synchronous step. The type argument of a query states the columns as they are declared. Methods
 * with a query are also tags: values in the template are bound, never part of the statement's text.
 */
export abstract class TableStore {
  protected readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  protected run(query: Query, ...values: readonly Bound[]) {
    return this.sql.exec(textOf(query), ...values);
  }

  protected rows<R extends Row>(query: Query, ...values: readonly Bound[]): R[] {
    return this.sql.exec<R>(textOf(query), ...values).toArray();
  }

  /** The first row, if any. */
  protected row<R extends Row>(query: Query, ...values: readonly Bound[]) {
    return this.rows<R>(query, ...values)[0];
  }

  /** The only row. */
  protected one<R extends Row>(query: Query, ...values: readonly Bound[]): R {
    return this.sql.exec<R>(textOf(query), ...values).one();
  }

  /** The only value of the only row, such as a count. */
  protected value<V extends SqlStorageValue>(query: Query, ...values: readonly Bound[]): V {
    const [only] = Object.values(this.one<Record<string, V>>(query, ...values));
    if (only === undefined) throw new TypeError(`no value: ${textOf(query)}`);
    return only;
  }

  protected exists(query: Query, ...values: readonly Bound[]): boolean {
    return this.row(query, ...values) !== undefined;
  }

  /** The columns `own` and `all` of a query: of an owner, and of the whole team. */
  protected usage(query: Query, ...values: readonly Bound[]): Used {
    const { own, all } = this.one<{ own: number; all: number }>(query, ...values);
    return { owner: own, team: all };
  }

  protected insert(table: string, row: Row, verb = 'INSERT'): void {
    const names = Object.keys(row);
    this.sql.exec(
      `${verb} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(row),
    );
  }

  /** Inserts a row, in the place of the one with the same key. */
  protected replace(table: string, row: Row): void {
    this.insert(table, row, 'INSERT OR REPLACE');
  }

  protected pageOf<R extends Row>(
    { columns, table, where, values }: Selection,
    { limit, start, order = 'desc' }: PageQuery,
  ): Page<R> {
    const from = `FROM ${table} WHERE ${where}`;
    const total = this.value<number>(`SELECT count(*) ${from}`, ...values);
    const rows = this.rows<R & { seq: number }>(
      `SELECT seq, ${columns} ${from} AND seq ${order === 'asc' ? '>' : '<'} ?
       ORDER BY seq ${order} LIMIT ?`,
      ...values,
      start,
      limit + 1,
    );
    const items = rows.slice(0, limit);
    return { items, total, next: rows.length > limit ? items.at(-1)?.seq : undefined };
  }
}

/** The text of a WHERE clause and the values of its placeholders. */
export interface Condition {
  readonly where: string;
  readonly values: readonly SqlStorageValue[];
}

/** Joins clauses by AND; one with an undefined value is left out. */
export function allOf(
  ...clauses: readonly (readonly [clause: string, ...(SqlStorageValue | undefined)[]])[]
): Condition {
  const where = ['1 = 1'];
  const values: SqlStorageValue[] = [];
  for (const [clause, ...own] of clauses) {
    const given = own.filter((value) => value !== undefined);
    if (given.length < own.length) continue;
    where.push(clause);
    values.push(...given);
  }
  return { where: where.join(' AND '), values };
}

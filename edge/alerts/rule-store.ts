import type { Rule } from './rule.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

export interface StoredRule {
  readonly rule: Rule;
  readonly lastError: string | null;
}

/** The rules, when they were last evaluated, and what went wrong. */
export class RuleStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): readonly StoredRule[] {
    return this.#read('SELECT rule, last_error FROM rules ORDER BY name, id');
  }

  find(id: string): StoredRule | undefined {
    return this.#read('SELECT rule, last_error FROM rules WHERE id = ?', id)[0];
  }

  count(): number {
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM rules').one().total;
  }

  put(rule: Rule): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO rules (id, name, rule) VALUES (?, ?, ?)',
      rule.id,
      rule.name,
      JSON.stringify(rule),
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM rules WHERE id = ?', id);
  }

  setError(id: string, error: string | null): void {
    this.#sql.exec('UPDATE rules SET last_error = ? WHERE id = ?', error, id);
  }

  evaluatedAt(): number | null {
    const { at } = this.#sql.exec<Row<'at'>>('SELECT at FROM evaluations').one();
    return at === null ? null : Number(at);
  }

  setEvaluatedAt(at: number): void {
    this.#sql.exec('UPDATE evaluations SET at = ?', at);
  }

  /**
   * Adds the rules a platform starts with, each edition once: whoever takes them away does not get
   * them back.
   */
  addDefaults(edition: number, rulesAfter: (edition: number) => readonly Rule[]): void {
    const { before } = this.#sql
      .exec<{ before: number }>('SELECT has_default_rules AS before FROM evaluations')
      .one();
    if (before >= edition) return;
    for (const rule of rulesAfter(before)) if (!this.find(rule.id)) this.put(rule);
    this.#sql.exec('UPDATE evaluations SET has_default_rules = ?', edition);
  }

  #read(query: string, ...values: readonly string[]): readonly StoredRule[] {
    return this.#sql
      .exec<Row<'rule' | 'last_error'>>(query, ...values)
      .toArray()
      .map(({ rule, last_error }) => ({
        rule: JSON.parse(String(rule)),
        lastError: last_error === null ? null : String(last_error),
      }));
  }
}

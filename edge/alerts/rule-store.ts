import { TableStore } from '../storage/table-store.ts';
import type { Rule, StoredRule } from './rule.ts';

/** The table of rules, and when they were last evaluated. */
export class RuleStore extends TableStore {
  all(): readonly StoredRule[] {
    return this.#read('ORDER BY name, id');
  }

  find(id: string): StoredRule | undefined {
    return this.#read('WHERE id = ?', id)[0];
  }

  count(): number {
    return this.value('SELECT count(*) FROM rules');
  }

  put(rule: Rule): void {
    this.replace('rules', { id: rule.id, name: rule.name, rule: JSON.stringify(rule) });
  }

  remove(id: string): void {
    this.run`DELETE FROM rules WHERE id = ${id}`;
  }

  setError(id: string, error: string | null): void {
    this.run`UPDATE rules SET last_error = ${error} WHERE id = ${id}`;
  }

  evaluatedAt(): number | null {
    return this.value('SELECT at FROM evaluations');
  }

  setEvaluatedAt(at: number): void {
    this.run`UPDATE evaluations SET at = ${at}`;
  }

  /** Adds the default rules of each new edition once: rules that were removed do not return. */
  addDefaults(edition: number, rulesAfter: (edition: number) => readonly Rule[]): void {
    const before = this.value<number>('SELECT has_default_rules FROM evaluations');
    if (before >= edition) return;
    for (const rule of rulesAfter(before)) if (!this.find(rule.id)) this.put(rule);
    this.run`UPDATE evaluations SET has_default_rules = ${edition}`;
  }

  #read(clause: string, ...values: readonly string[]): readonly StoredRule[] {
    return this.rows<{ rule: string; last_error: string | null }>(
      `SELECT rule, last_error FROM rules ${clause}`,
      ...values,
    ).map(({ rule, last_error }) => ({ rule: JSON.parse(rule), lastError: last_error }));
  }
}

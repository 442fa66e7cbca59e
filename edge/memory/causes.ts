import type { CausalFinding } from '../causal/extract.ts';
import type { CausalLanguage, CausalPattern, CausalRelation } from './contract/causal.ts';
import { nodeNumber } from './sealing.ts';
import type { Condition } from './records.ts';
import { type Bound, TableStore } from '../storage/table-store.ts';

/** The spans of a finding in the text of its memory: starts and lengths in UTF-16 units. */
type Spans = readonly [
  evidence: number,
  evidenceLength: number,
  cause: number,
  causeLength: number,
  effect: number,
  effectLength: number,
  cue: number,
  cueLength: number,
];

interface Row extends Record<string, SqlStorageValue> {
  readonly cause_no: number;
  readonly seq: number;
  readonly memory_id: string;
  readonly cause_node: number;
  readonly effect_node: number;
  readonly relation: string;
  readonly confidence: number;
  readonly language: string;
  readonly pattern: string;
  readonly spans: string;
  readonly valid_at: number;
  readonly ends_at: number | null;
}

/** A statement of a cause by one memory. */
export interface StatementRef {
  readonly causeNo: number;
  readonly seq: number;
  readonly causeNode: number;
  readonly effectNode: number;
}

/** The statement in its own words. */
export interface CausalStatement extends StatementRef, CausalFinding {
  readonly memoryId: string;
  /** Epoch milliseconds; null while nothing ends it. */
  readonly validAt: number;
  readonly invalidAt: number | null;
}

/** From a node to its effects only, or to its causes as well. */
export type TraversalDirection = 'effects' | 'both';

interface AroundOptions {
  readonly direction: TraversalDirection;
  readonly condition: Condition;
  readonly limit: number;
}

const SELECT = `SELECT cause_no, seq, memory_id, cause_node, effect_node, relation, confidence,
  language, pattern, spans, valid_at,
  min(coalesce(invalid_at, expires_at), coalesce(expires_at, invalid_at)) AS ends_at
  FROM causes JOIN memories USING (seq)`;

/**
 * The statements of causes in memories. Only spans are stored, so evidence is quoted from the
 * stored text, and erased with it.
 */
export class CausalStatements extends TableStore {
  readonly #contentsOf: (seqs: readonly number[]) => ReadonlyMap<number, string>;

  /** @param contentsOf returns the texts of memories by their sequence numbers */
  constructor(
    sql: SqlStorage,
    contentsOf: (seqs: readonly number[]) => ReadonlyMap<number, string>,
  ) {
    super(sql);
    this.#contentsOf = contentsOf;
  }

  add(seq: number, content: string, findings: readonly CausalFinding[]): void {
    for (const finding of findings) {
      this.run`INSERT INTO causes (seq, cause_node, effect_node, relation, confidence, language,
          pattern, spans)
        VALUES (${seq}, ${nodeNumber(finding.cause)}, ${nodeNumber(finding.effect)},
          ${finding.relation}, ${finding.confidence}, ${finding.language}, ${finding.pattern},
          ${JSON.stringify(spansOf(content, finding))})`;
    }
  }

  remove(seq: number): void {
    this.run`DELETE FROM causes WHERE seq = ${seq}`;
  }

  /** The statements of some memories, in the order of their texts. */
  inMemories(seqs: readonly number[]): readonly CausalStatement[] {
    return this.#withText(
      this.#rows('seq IN (SELECT value FROM json_each(?)) ORDER BY cause_no', JSON.stringify(seqs)),
    );
  }

  /** The words of statements, in their order. */
  read(refs: readonly StatementRef[]): readonly CausalStatement[] {
    const numbers = JSON.stringify(refs.map(({ causeNo }) => causeNo));
    const rows = this.#rows('cause_no IN (SELECT value FROM json_each(?))', numbers);
    const statements = new Map(this.#withText(rows).map((one) => [one.causeNo, one]));
    return refs.flatMap(({ causeNo }) => statements.get(causeNo) ?? []);
  }

  /** The statements of some memories that match a condition. */
  ofMemories(seqs: readonly number[], condition: Condition): readonly StatementRef[] {
    return this.#select(
      `seq IN (SELECT value FROM json_each(?)) AND ${condition.sql} ORDER BY confidence DESC, cause_no`,
      JSON.stringify(seqs),
      ...condition.values,
    );
  }

  /** The statements about some nodes, the most confident first, up to a total. */
  around(
    nodes: readonly number[],
    { direction, condition, limit }: AroundOptions,
  ): readonly StatementRef[] {
    const columns = direction === 'effects' ? ['cause_node'] : ['cause_node', 'effect_node'];
    const found = new Map<number, Row>();
    for (const node of nodes) {
      for (const column of columns) {
        const where = `${column} = ? AND ${condition.sql} ORDER BY confidence DESC, cause_no DESC LIMIT ?`;
        for (const row of this.#rows(where, node, ...condition.values, limit - found.size)) {
          found.set(row.cause_no, row);
        }
        if (found.size >= limit) return [...found.values()].map(refOf);
      }
    }
    return [...found.values()].map(refOf);
  }

  /** The statements between some nodes. */
  between(nodes: readonly number[], condition: Condition, limit: number): readonly StatementRef[] {
    const those = JSON.stringify(nodes);
    const among = 'IN (SELECT value FROM json_each(?))';
    return this.#select(
      `cause_node ${among} AND effect_node ${among} AND ${condition.sql} LIMIT ?`,
      those,
      those,
      ...condition.values,
      limit,
    );
  }

  /** All statements, the most confident first, up to a limit. */
  all(condition: Condition, limit: number): readonly StatementRef[] {
    return this.#select(
      `${condition.sql} ORDER BY confidence DESC, cause_no DESC LIMIT ?`,
      ...condition.values,
      limit,
    );
  }

  counts(): { readonly edges: number; readonly evidence: number } {
    return this.one<{
      edges: number;
      evidence: number;
    }>(`SELECT count(*) AS edges, coalesce(sum(n), 0) AS evidence FROM
          (SELECT count(*) AS n FROM causes GROUP BY cause_node, effect_node, relation)`);
  }

  #select(where: string, ...values: readonly Bound[]): readonly StatementRef[] {
    return this.#rows(where, ...values).map(refOf);
  }

  #rows(where: string, ...values: readonly Bound[]): readonly Row[] {
    return this.rows<Row>(`${SELECT} WHERE ${where}`, ...values);
  }

  #withText(rows: readonly Row[]): readonly CausalStatement[] {
    const contents = this.#contentsOf([...new Set(rows.map(({ seq }) => seq))]);
    return rows.map((row) => statementOf(row, contents.get(row.seq) ?? ''));
  }
}

/** Every span is literal, so its first occurrence in the text will do. */
function spansOf(content: string, { evidence, cause, effect, cue }: CausalFinding): Spans {
  const from = content.indexOf(evidence);
  const at = (words: string) => from + evidence.indexOf(words);
  return [
    from,
    evidence.length,
    at(cause),
    cause.length,
    at(effect),
    effect.length,
    at(cue),
    cue.length,
  ];
}

const refOf = (row: Row): StatementRef => ({
  causeNo: row.cause_no,
  seq: row.seq,
  causeNode: row.cause_node,
  effectNode: row.effect_node,
});

function statementOf(row: Row, content: string): CausalStatement {
  const [evidence, evidenceLength, cause, causeLength, effect, effectLength, cue, cueLength] =
    JSON.parse(row.spans) as Spans;
  const words = (start: number, length: number) => content.slice(start, start + length);
  return {
    ...refOf(row),
    memoryId: row.memory_id,
    cause: words(cause, causeLength),
    effect: words(effect, effectLength),
    cue: words(cue, cueLength),
    evidence: words(evidence, evidenceLength),
    relation: row.relation as CausalRelation,
    confidence: row.confidence,
    language: row.language as CausalLanguage,
    pattern: row.pattern as CausalPattern,
    validAt: row.valid_at,
    invalidAt: row.ends_at,
  };
}

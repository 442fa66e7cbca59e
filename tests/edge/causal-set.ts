import { readFileSync } from 'node:fs';
import { extractCauses, type CausalFinding } from '../../edge/causal/extract.ts';
import type { CausalLanguage, CausalRelation } from '../../edge/memory/contract/causal.ts';

/** The labelled set of tests/data/causal and how what is found is judged; its README has the rules. */
export interface LabelledEdge {
  readonly cause: string;
  readonly effect: string;
  readonly relation: CausalRelation;
}

export interface LabelledText {
  readonly id: string;
  readonly text: string;
  readonly split: 'tune' | 'held';
  readonly edges: readonly LabelledEdge[];
}

export const readLabelled = (language: CausalLanguage): LabelledText[] =>
  readFileSync(new URL(`../data/causal/${language}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledText);

export type ErrorKind = 'reversed' | 'relation' | 'span' | 'spurious' | 'false alarm' | 'missed';

export interface JudgedError {
  readonly kind: ErrorKind;
  readonly id: string;
  readonly edge: LabelledEdge;
}

export interface Judgement {
  readonly labelled: number;
  readonly found: number;
  readonly matched: number;
  /** Matches whose relation is the very same. */
  readonly sameRelation: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly errors: readonly JudgedError[];
}

export function judge(texts: readonly LabelledText[]): Judgement {
  const results = texts.map((labelled) => judgeText(labelled, extractCauses(labelled.text)));
  const sum = (count: (result: TextResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const labelled = sum(({ text }) => text.edges.length);
  const found = sum(({ findings }) => findings.length);
  const matched = sum(({ pairs }) => pairs.length);
  const sameRelation = sum(
    ({ pairs }) => pairs.filter(([edge, finding]) => edge.relation === finding.relation).length,
  );
  const [precision, recall] = [matched / found, matched / labelled];
  return {
    ...{ labelled, found, matched, sameRelation, precision, recall },
    f1: (2 * precision * recall) / (precision + recall),
    errors: results.flatMap(errorsOf),
  };
}

interface TextResult {
  readonly text: LabelledText;
  readonly findings: readonly CausalFinding[];
  readonly pairs: readonly (readonly [LabelledEdge, CausalFinding])[];
}

function judgeText(text: LabelledText, findings: readonly CausalFinding[]): TextResult {
  const candidates = text.edges
    .flatMap((edge) =>
      findings.map((finding) => ({ edge, finding, score: scoreOf(edge, finding) })),
    )
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const taken = new Set<object>();
  const pairs: [LabelledEdge, CausalFinding][] = [];
  for (const { edge, finding } of candidates) {
    if (taken.has(edge) || taken.has(finding)) continue;
    taken.add(edge).add(finding);
    pairs.push([edge, finding]);
  }
  return { text, findings, pairs };
}

const ENOUGH = 0.5;

const groupOf = (relation: CausalRelation) =>
  relation === 'prevents' || relation === 'correlates' ? relation : 'brings';

/** Product of both overlaps, 0 where it is no match. */
function scoreOf(edge: LabelledEdge, finding: LabelledEdge): number {
  if (groupOf(edge.relation) !== groupOf(finding.relation)) return 0;
  const straight = product(edge, finding);
  return edge.relation === 'correlates'
    ? Math.max(straight, product(swapped(edge), finding))
    : straight;
}

const swapped = (edge: LabelledEdge): LabelledEdge => ({
  ...edge,
  cause: edge.effect,
  effect: edge.cause,
});

function product(a: LabelledEdge, b: LabelledEdge): number {
  const [cause, effect] = [overlap(a.cause, b.cause), overlap(a.effect, b.effect)];
  return cause >= ENOUGH && effect >= ENOUGH ? cause * effect : 0;
}

/** F1 over words, or over characters where a text has Japanese ones. */
export function overlap(a: string, b: string): number {
  const [left, right] = [unitsOf(a), unitsOf(b)];
  const counts = new Map<string, number>();
  for (const unit of left) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  let shared = 0;
  for (const unit of right) {
    const count = counts.get(unit) ?? 0;
    if (count === 0) continue;
    counts.set(unit, count - 1);
    shared += 1;
  }
  return (2 * shared) / (left.length + right.length || 1);
}

const unitsOf = (text: string): string[] =>
  /[\u3041-\u30ff\u3400-\u9fff]/.test(text)
    ? (text.match(/[\p{L}\p{N}]/gu) ?? [])
    : (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

function errorsOf({ text, findings, pairs }: TextResult): JudgedError[] {
  const matchedEdges = new Set(pairs.map(([edge]) => edge));
  const matchedFindings = new Set(pairs.map(([, finding]) => finding));
  const missed = text.edges.filter((edge) => !matchedEdges.has(edge));
  const wrong = findings.filter((finding) => !matchedFindings.has(finding));
  return [
    ...wrong.map((edge) => ({ kind: kindOf(text, edge), id: text.id, edge })),
    ...missed.map((edge) => ({ kind: 'missed' as const, id: text.id, edge })),
  ];
}

function kindOf({ edges }: LabelledText, found: LabelledEdge): ErrorKind {
  if (edges.length === 0) return 'false alarm';
  if (edges.some((edge) => product(edge, found) > 0)) return 'relation';
  if (edges.some((edge) => product(swapped(edge), found) > 0)) return 'reversed';
  const half = edges.some(
    (edge) =>
      overlap(edge.cause, found.cause) >= ENOUGH || overlap(edge.effect, found.effect) >= ENOUGH,
  );
  return half ? 'span' : 'spurious';
}

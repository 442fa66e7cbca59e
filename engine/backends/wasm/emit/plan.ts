import type { Roles } from '../../../graph/kernel.ts';
import { type Body, segmentLength } from '../../../kernel-language/body.ts';
import { flatten } from '../../../kernel-language/flatten.ts';
import { closureOf, type Expression, type Operator } from '../../../kernel-language/expression.ts';
import { analyse, type Analysis, LEVEL } from '../../../kernel-language/levels.ts';
import { groupScratch } from './group-plan.ts';
import type { Variant } from '../../../kernel-language/written-kernel.ts';

/* How a kernel runs, without its instructions: all that is needed to call one that is built in. */

export const VECTOR_BYTES = 16;
export const LANES = 4;

/** Elements of an item of kernels that work element by element. */
export const BLOCK = 256;

type Nest = 'flat' | 'rows' | 'lanes' | 'blocks' | 'groups';

/** A body as this backend runs it. */
export interface Plan {
  readonly analysis: Analysis;
  readonly nest: Nest;
}

/** A kernel that is called, and that no build has. */
export interface Missing {
  readonly variant: Variant;
  readonly plan: Plan;
  readonly operands: Roles;
}

/** Chooses how a body is run: element by element, by rows, with states in registers, in blocks, or row by row in each step. */
export function planBody(given: Body): Plan {
  const body = flatten(given);
  const analysis = analyse(body);
  if (analysis.all.some(({ kind }) => kind === 'mean')) return { analysis, nest: 'groups' };
  const hasTrail = body.sequences.some(({ trail }) => trail.length > 0);
  if (hasTrail) return { analysis, nest: 'blocks' };
  if (body.sequences.length > 0 || writesBits(analysis)) return { analysis, nest: 'lanes' };
  const isFlat = body.domain.length === 1 && body.stores.every((store) => analysis.isAlong(store));
  const hasSums = analysis.all.some(({ kind }) => kind === 'reduction');
  return { analysis, nest: isFlat && !hasSums ? 'flat' : 'rows' };
}

/** How the work of a call is split, and the scratch memory of a thread. */
export function splitOf({ analysis, nest }: Plan, sizeOf: (axis: string) => number) {
  const { body } = analysis;
  const inner = sizeOf(body.domain.at(-1)?.size ?? '');
  const sequential = new Set(body.sequences.map(({ coordinate }) => coordinate));
  const outer = body.domain
    .slice(0, -1)
    .filter(({ coordinate }) => !sequential.has(coordinate))
    .reduce((product, { size }) => product * sizeOf(size), 1);
  switch (nest) {
    case 'flat':
      return { items: Math.ceil(inner / BLOCK), grain: 4, scratchBytes: 0 };
    case 'rows':
      return { items: outer, grain: 1, scratchBytes: keptIn(analysis).size * keptBytes(inner) };
    case 'lanes':
      return { items: outer * lanesOf(analysis, inner), grain: 32, scratchBytes: 0 };
    case 'blocks': {
      const steps = body.sequences[0] ? sizeOf(stepsOf(body)) : 0;
      const items = outer * Math.ceil(inner / BLOCK);
      const { bytes } = blockScratch(analysis, steps);
      return { items, grain: 1, scratchBytes: bytes, segment: segmentLength(steps) };
    }
    case 'groups': {
      const steps = sizeOf(stepsOf(body));
      const scratchBytes = groupScratch(analysis, steps).numbers * keptBytes(inner);
      return { items: outer, grain: 1, scratchBytes, segment: segmentLength(steps) };
    }
  }
}

/** Functions that take many instructions. */
const COSTLY: ReadonlySet<Operator> = new Set(['exp', 'log', 'tanh'] as const);

/** Costly values of several passes over a row, with the first of them: the later ones read them from scratch. */
export function keptIn(analysis: Analysis): ReadonlyMap<Expression, number> {
  const kept = new Map<Expression, number>();
  // Sums that end before their row leave places without a value.
  if (analysis.body.until) return kept;
  const found = new Map<Expression, number>();
  for (const [pass, wanted] of passesOf(analysis).entries()) {
    for (const node of closureOf(wanted, ({ kind }) => kind === 'reduction')) {
      const isCostly = node.kind === 'apply' && COSTLY.has(node.operator);
      if (!isCostly || analysis.levelOf(node) !== LEVEL.vector) continue;
      const first = found.get(node);
      if (first === undefined) found.set(node, pass);
      else kept.set(node, first);
    }
  }
  return kept;
}

/** The values that each pass over a row computes: those of its sums, and of what is stored in the last. */
function passesOf({ all, body, sumsBefore, isAlong }: Analysis): Expression[][] {
  const sums = all.filter((node) => node.kind === 'reduction');
  const count = Math.max(0, ...sums.map(sumsBefore));
  const passes = Array.from({ length: count }, (_, pass) =>
    sums.flatMap((node) => (sumsBefore(node) === pass + 1 ? [node.value] : [])),
  );
  return [...passes, body.stores.flatMap((store) => (isAlong(store) ? [store.value] : []))];
}

/** Bytes of scratch for a value of each place of a row; vectors may go beyond its end. */
function keptBytes(width: number): number {
  return VECTOR_BYTES * Math.ceil(width / LANES);
}

function stepsOf(body: Body): string {
  const coordinate = body.sequences[0]?.coordinate;
  return body.domain.find((axis) => axis.coordinate === coordinate)?.size ?? '';
}

/** Vectors of a word of neurons that are carried through all steps in registers. */
export function copiesOf(analysis: Analysis): number {
  const states = Math.max(0, ...analysis.body.sequences.map((one) => one.states.length));
  return states <= 1 ? 8 : states <= 3 ? 4 : 2;
}

/** Items of a row that `emitLanes` takes `width` lanes in. */
function lanesOf(analysis: Analysis, width: number): number {
  const lanes = copiesOf(analysis) * LANES;
  return writesBits(analysis) ? (Math.ceil(width / 32) * 32) / lanes : Math.ceil(width / lanes);
}

/** Whether it stores bits, which are packed. */
export function writesBits({ body }: Analysis): boolean {
  return [...body.stores, ...body.sequences.flatMap((one) => one.stores)].some(
    ({ operand }) => body.layouts[operand]?.element === 'bits',
  );
}

/** Bytes of a value of every element of a block. */
export const BLOCK_BYTES = 4 * BLOCK;

/**
 * Scratch of `emitBlocks`: the states of each sequence, then checkpoints of those of the first, then what
 * is noted down. Sequences that run one after the other have their states in one place.
 */
export function blockScratch({ body }: Analysis, steps: number) {
  const counts = body.sequences.map(({ states }) => states.length);
  const noted = body.sequences.reduce((sum, { trail }) => sum + trail.length, 0);
  const [first = 0, second = 0] = counts;
  const states = body.isCheckpointed ? first + second : Math.max(0, ...counts);
  const segment = segmentLength(steps);
  const kept = body.isCheckpointed ? first * Math.ceil(steps / segment) : 0;
  const trail = noted * (body.isCheckpointed ? segment : steps);
  return { bytes: BLOCK_BYTES * (states + trail + kept), states, noted };
}

import type { Sequence } from '../../../kernel-language/body.ts';
import type { Expression } from '../../../kernel-language/expression.ts';
import { type Access, type Analysis, LEVEL } from '../../../kernel-language/levels.ts';

/** How an index moves with the steps: by one, back or forth. */
interface Move {
  readonly isBackward: boolean;
  readonly step: Expression;
  /** The place beyond which it does not go. */
  readonly last?: Expression | undefined;
}

/** An access whose address moves on by the same bytes with each step, and the axis along which it does. */
export interface Moving extends Move {
  readonly access: Access;
  readonly axis: number;
}

/** How an access moves with the steps of a sequence; undefined where its address has to be computed anew. */
export function movingOf(
  access: Access,
  sequence: Sequence,
  analysis: Analysis,
): Moving | undefined {
  const isOfStep = (index: Expression) => analysis.levelOf(index) === LEVEL.step;
  const [index, ...others] = access.indices.filter(isOfStep);
  if (!index || others.length > 0) return undefined;
  const move = moveOf(index, sequence, analysis);
  return move && { access, axis: access.indices.indexOf(index), ...move };
}

function moveOf(
  index: Expression,
  { coordinate, isBackward = false }: Sequence,
  analysis: Analysis,
): Move | undefined {
  const isStep = (node: Expression) => node.kind === 'coordinate' && node.name === coordinate;
  if (isStep(index)) return { isBackward, step: index };
  if (index.kind !== 'apply') return undefined;
  const [a = index, b = index] = index.args;
  if (!isStep(a) || analysis.levelOf(b) === LEVEL.step) return undefined;
  if (index.operator === 'min') return { isBackward, step: a, last: b };
  return ['add', 'sub'].includes(index.operator) ? { isBackward, step: a } : undefined;
}

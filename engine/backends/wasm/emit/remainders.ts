import type { Sequence } from '../../../kernel-language/body.ts';
import { type Apply, closureOf, type Expression } from '../../../kernel-language/expression.ts';
import { LEVEL, sequenceRoots } from '../../../kernel-language/levels.ts';
import { pushed } from './arithmetic.ts';
import type { Local } from './function-code.ts';
import type { ValueEmitter } from './values.ts';

/** `step % n` as a counter that goes round with the steps: a division takes as long as dozens of sums. */
interface Remainders {
  /** Makes them known in a round of the steps. */
  bind(): void;
  /** Moves them on to the next step. */
  advance(): void;
}

/** The remainders of the steps of a sequence, the first of which is in a local. */
export function startRemainders(values: ValueEmitter, sequence: Sequence, step: Local): Remainders {
  const { code } = values;
  const found = remaindersOf(values, sequence).map(([node, divisor]) => {
    const size = pushed(code, () => values.pushScalar(divisor));
    const place = pushed(code, () => {
      code.get(step);
      code.get(size);
      code.op('i32.rem_s');
    });
    return { node, size, place };
  });
  return {
    bind: () => found.forEach(({ node, place }) => values.bind(node, place)),
    advance() {
      for (const { size, place } of found) {
        if (sequence.isBackward) turnBack(values, place, size);
        else turn(values, place, size);
      }
    },
  };
}

function remaindersOf(
  { analysis }: ValueEmitter,
  sequence: Sequence,
): (readonly [node: Apply, divisor: Expression])[] {
  return closureOf(sequenceRoots(sequence)).flatMap((node) => {
    if (node.kind !== 'apply' || node.operator !== 'rem' || node.type !== 'i32') return [];
    const [a, b] = node.args;
    const isStep = a?.kind === 'coordinate' && a.name === sequence.coordinate;
    return isStep && b && analysis.levelOf(b) < LEVEL.step ? [[node, b] as const] : [];
  });
}

/** place + 1, or 0 where that is the size. */
function turn({ code }: ValueEmitter, place: Local, size: Local): void {
  code.get(place);
  code.whole(1);
  code.op('i32.add');
  const next = code.keep('i32');
  code.whole(0);
  code.get(next);
  code.get(next);
  code.get(size);
  code.op('i32.eq');
  code.op('select');
  code.set(place);
}

/** place - 1, or size - 1 where the place is 0. */
function turnBack({ code }: ValueEmitter, place: Local, size: Local): void {
  code.get(place);
  code.get(size);
  code.get(place);
  code.op('select');
  code.whole(1);
  code.op('i32.sub');
  code.set(place);
}

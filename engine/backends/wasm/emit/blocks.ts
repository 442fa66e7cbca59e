import { LEVEL } from '../../../kernel-language/levels.ts';
import { pushed, pushMinimum } from './arithmetic.ts';
import { createBlockSteps, loadStates } from './block-steps.ts';
import { eachItem, eachVector, storeAll } from './loops.ts';
import { BLOCK, blockScratch } from './plan.ts';
import { emitSegments } from './segments.ts';
import type { ValueEmitter } from './values.ts';

/**
 * Blocks of neurons through one step after the other, states and what is noted down in scratch; `segment` is
 * the place of the argument with the steps between checkpoints.
 */
export function emitBlocks(values: ValueEmitter, segment: number): void {
  const { code, analysis } = values;
  const { body } = analysis;
  values.enter(LEVEL.call);
  const width = pushed(code, () => values.addresses.pushSize(body.domain.at(-1)?.size ?? 1));
  const groups = pushed(code, () => {
    code.get(width);
    code.whole(BLOCK - 1);
    code.op('i32.add');
    code.whole(BLOCK);
    code.op('i32.div_u');
  });
  eachItem(
    values,
    (column) => {
      const count = pushed(code, () => {
        pushMinimum(
          code,
          () => code.whole(BLOCK),
          () => {
            code.get(width);
            code.get(column);
            code.op('i32.sub');
          },
        );
      });
      values.leave(LEVEL.item);
      values.enter(LEVEL.item);
      const steps = createBlockSteps(values, count);
      if (body.isCheckpointed) {
        const { states, noted } = blockScratch(analysis, 0);
        emitSegments(values, { steps, states, noted }, segment);
      } else {
        for (const sequence of body.sequences) {
          steps.start(sequence);
          steps.run(sequence);
        }
      }
      const last = body.sequences.at(-1);
      if (body.stores.length === 0) return;
      eachVector(values, count, (left, offset) => {
        if (last) loadStates(values, last, offset);
        storeAll(values, body.stores, left);
      });
    },
    { groups, lanes: BLOCK },
  );
}

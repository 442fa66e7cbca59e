import { LEVEL } from '../../../kernel-language/levels.ts';
import { splitStores } from '../../../kernel-language/step-passes.ts';
import { pushed } from './arithmetic.ts';
import { createGroupSteps } from './group-steps.ts';
import { eachItem, eachVector, storeAll, storeOne } from './loops.ts';
import { emitSegments } from './segments.ts';
import type { ValueEmitter } from './values.ts';

/**
 * Rows whose places take each step together, as it needs means of them all: a pass over the row for means that do
 * not need each other, and a last one for what the step changes. States and what is noted down are in scratch.
 */
export function emitGroups(values: ValueEmitter, segment: number): void {
  const { code, analysis } = values;
  const { body } = analysis;
  const { along, shared } = splitStores(analysis, body.stores);
  values.enter(LEVEL.call);
  const width = pushed(code, () => values.addresses.pushSize(body.domain.at(-1)?.size ?? 1));
  const steps = createGroupSteps(values, width);
  eachItem(values, () => {
    values.leave(LEVEL.item);
    values.enter(LEVEL.item);
    if (body.isCheckpointed) emitSegments(values, steps.segmented, segment);
    else {
      for (const sequence of body.sequences) {
        steps.start(sequence);
        steps.run(sequence);
      }
    }
    const last = body.sequences.at(-1);
    if (along.length > 0 && last) {
      eachVector(values, width, (left, offset) => {
        steps.load(last, along, offset);
        storeAll(values, along, left);
      });
    }
    for (const store of shared) storeOne(values, store);
  });
}

import type { Sequence } from '../../../kernel-language/body.ts';
import { closureOf, type Expression } from '../../../kernel-language/expression.ts';
import { pushed } from './arithmetic.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { type Bounds, eachStep, eachVector, storeAll } from './loops.ts';
import { BLOCK_BYTES, blockScratch } from './plan.ts';
import type { ValueEmitter } from './values.ts';

export function startStates(values: ValueEmitter, sequence: Sequence, count: Local): void {
  const { code } = values;
  eachVector(values, count, (_, offset) => {
    for (const [index, { initial }] of sequence.states.entries()) {
      pushScratch(code, offset);
      values.pushVector(initial);
      code.access('v128.store', statePlace(values, sequence, index));
    }
  });
}

/** The part of a sequence that is run. */
interface Run {
  /** Elements of the block. */
  readonly count: Local;
  /** The segment, and where what is noted down lies in scratch: as if the segment began with the first step. */
  readonly segment?: Bounds & { readonly trail: Local };
  /** Runs for the states alone, and notes nothing down. */
  readonly isDry?: boolean;
}

export function runSteps(
  values: ValueEmitter,
  sequence: Sequence,
  { count, segment, isDry = false }: Run,
): void {
  const { code, analysis } = values;
  const { noted, states } = blockScratch(analysis, 0);
  const names = analysis.body.sequences.flatMap(({ trail }) => trail.map(({ name }) => name));
  const used = closureOf(rootsIn(sequence));
  const run = (step: Local) => {
    const trail = pushed(code, () => {
      code.get(segment?.trail ?? PARAMETERS.scratch);
      code.get(step);
      code.whole(BLOCK_BYTES * noted);
      code.op('i32.mul');
      code.op('i32.add');
    });
    const first = segment ? 0 : BLOCK_BYTES * states;
    eachVector(values, count, (left, offset) => {
      loadStates(values, sequence, offset);
      const at = () => {
        code.get(trail);
        code.get(offset);
        code.op('i32.add');
      };
      for (const node of used) {
        if (node.kind !== 'trail') continue;
        at();
        code.access('v128.load', first + BLOCK_BYTES * names.indexOf(node.name));
        values.bind(node, code.keep('v128'));
      }
      const nexts = sequence.states.map(({ next }) => {
        values.pushVector(next);
        return code.keep('v128');
      });
      for (const { name, value } of isDry ? [] : sequence.trail) {
        at();
        values.pushVector(value);
        code.access('v128.store', first + BLOCK_BYTES * names.indexOf(name));
      }
      storeAll(values, sequence.stores, left);
      for (const [index, next] of nexts.entries()) {
        pushScratch(code, offset);
        code.get(next);
        code.access('v128.store', statePlace(values, sequence, index));
      }
    });
  };
  eachStep(values, sequence, run, segment);
}

/** Bytes from the start of scratch to a state. With checkpoints, two sequences take turns with theirs. */
function statePlace({ analysis }: ValueEmitter, sequence: Sequence, index: number): number {
  const [first] = analysis.body.sequences;
  const isSecond = analysis.body.isCheckpointed === true && sequence !== first;
  return BLOCK_BYTES * (index + (isSecond ? (first?.states.length ?? 0) : 0));
}

export function loadStates(values: ValueEmitter, sequence: Sequence, offset: Local): void {
  const { code, analysis } = values;
  for (const [index, { name, type }] of sequence.states.entries()) {
    pushScratch(code, offset);
    code.access('v128.load', statePlace(values, sequence, index));
    values.bind(analysis.body.pool.state(name, type), code.keep('v128'));
  }
}

function rootsIn({ states, stores, trail }: Sequence): Expression[] {
  return [
    ...states.map(({ next }) => next),
    ...stores.flatMap(({ value, indices }) => [value, ...indices]),
    ...trail.map(({ value }) => value),
  ];
}

function pushScratch(code: FunctionCode, offset: Local): void {
  code.get(PARAMETERS.scratch);
  code.get(offset);
  code.op('i32.add');
}

import type { Sequence } from '../../../kernel-language/body.ts';
import { closureOf, type Expression } from '../../../kernel-language/expression.ts';
import { pushed } from './arithmetic.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { eachStep, eachVector, storeAll } from './loops.ts';
import { BLOCK_BYTES, blockScratch } from './plan.ts';
import type { Run, StepEmitter } from './step-emitter.ts';
import type { ValueEmitter } from './values.ts';

function startStates(values: ValueEmitter, sequence: Sequence, count: Local): void {
  const { code } = values;
  eachVector(values, count, (_, offset) => {
    for (const [index, { initial }] of sequence.states.entries()) {
      pushScratch(code, offset);
      values.pushVector(initial);
      code.access('v128.store', statePlace(values, sequence, index));
    }
  });
}

/** Steps of a block of `count` neurons. */
export function createBlockSteps(values: ValueEmitter, count: Local): StepEmitter {
  return {
    pushBytes: (numbers) => values.code.whole(BLOCK_BYTES * numbers),
    start: (sequence) => startStates(values, sequence, count),
    run: (sequence, run) => runSteps(values, sequence, { count, ...run }),
    copyStates: (to, from, states) => copyStates(values, count, { to, from, states }),
  };
}

interface Copy {
  readonly to: Local;
  readonly from: Local;
  readonly states: number;
}

function copyStates(values: ValueEmitter, count: Local, { to, from, states }: Copy): void {
  const { code } = values;
  eachVector(values, count, (_, offset) => {
    for (let index = 0; index < states; index++) {
      const [target, source] = [to, from].map((base) =>
        pushed(code, () => {
          code.get(base);
          code.get(offset);
          code.op('i32.add');
        }),
      ) as [Local, Local];
      code.get(target);
      code.get(source);
      code.access('v128.load', BLOCK_BYTES * index);
      code.access('v128.store', BLOCK_BYTES * index);
    }
  });
}

function runSteps(
  values: ValueEmitter,
  sequence: Sequence,
  { count, segment, isDry = false }: Run & { readonly count: Local },
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

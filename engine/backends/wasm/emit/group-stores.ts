import type { Store } from '../../../kernel-language/body.ts';
import { splitStores } from '../../../kernel-language/step-passes.ts';
import type { FunctionCode, Local } from './function-code.ts';
import { pushLaneBits } from './lanes.ts';
import { storeAll } from './loops.ts';
import type { ValueEmitter } from './values.ts';

/** Bytes of floats at whose places the bits of a word are. */
const WORD_OF_FLOATS = 128;

/** Stores vector by vector along a row; bits collect in words, which are written as far as they are known. */
export function createGroupStores(values: ValueEmitter, stores: readonly Store[]) {
  const { code, analysis, addresses } = values;
  const { along } = splitStores(analysis, stores);
  const packed = along.filter(({ operand }) => addresses.layout(operand).element === 'bits');
  const others = along.filter((store) => !packed.includes(store));
  const words = packed.map(() => code.local('i32'));
  return {
    add(left: Local | undefined, offset: Local): void {
      for (const [index, { value }] of packed.entries()) {
        const word = words[index] ?? 0;
        pushEarlier(code, word, offset);
        values.pushMask(value);
        code.op('i32x4.bitmask');
        if (left !== undefined) {
          pushLaneBits(code, left);
          code.op('i32.and');
        }
        pushPlace(code, offset);
        code.op('i32.shl');
        code.op('i32.or');
        code.set(word);
      }
      if (others.length > 0) storeAll(values, others, left);
      for (const [index, store] of packed.entries()) {
        addresses.pushWord(store);
        code.get(words[index] ?? 0);
        code.access('i32.store');
      }
    },
  };
}

/** The bits of the word before this vector: none where it is the first. */
function pushEarlier(code: FunctionCode, word: Local, offset: Local): void {
  code.get(word);
  code.whole(0);
  code.get(offset);
  code.whole(WORD_OF_FLOATS - 1);
  code.op('i32.and');
  code.op('select');
}

/** The place of the vector's first bit; a shift takes it modulo 32. */
function pushPlace(code: FunctionCode, offset: Local): void {
  code.get(offset);
  code.whole(2);
  code.op('i32.shr_u');
}

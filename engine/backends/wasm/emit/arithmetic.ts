import type { FunctionCode, Local } from './function-code.ts';

export function pushed(code: FunctionCode, push: () => void): Local {
  push();
  return code.keep('i32');
}

export function times(code: FunctionCode, value: Local, factor: number): Local {
  code.get(value);
  code.whole(factor);
  code.op('i32.mul');
  return code.keep('i32');
}

export function shifted(code: FunctionCode, value: Local, by: number): void {
  code.get(value);
  code.whole(by);
  code.op('i32.shl');
}

export function pushMinimum(code: FunctionCode, pushA: () => void, pushB: () => void): void {
  const a = pushed(code, pushA);
  const b = pushed(code, pushB);
  code.get(a);
  code.get(b);
  code.get(a);
  code.get(b);
  code.op('i32.lt_s');
  code.op('select');
}

/** b - a of a and b on the stack. */
export function subtractFrom(code: FunctionCode): void {
  const b = code.keep('i32');
  const a = code.keep('i32');
  code.get(b);
  code.get(a);
  code.op('i32.sub');
}

export function advance(code: FunctionCode, local: Local, by: number): void {
  code.get(local);
  code.whole(by);
  code.op('i32.add');
  code.set(local);
}

/** Whether `by` more bytes are there. */
export function reaches(code: FunctionCode, offset: Local, by: number, bytes: Local): void {
  code.get(offset);
  code.whole(by);
  code.op('i32.add');
  code.get(bytes);
  code.op('i32.le_u');
}

export function isBelow(code: FunctionCode, offset: Local, bytes: Local): void {
  code.get(offset);
  code.get(bytes);
  code.op('i32.lt_u');
}

/** Elements between a place and the end. */
export function leftFrom(code: FunctionCode, offset: Local, bytes: Local): Local {
  code.get(bytes);
  code.get(offset);
  code.op('i32.sub');
  code.whole(2);
  code.op('i32.shr_u');
  return code.keep('i32');
}

/** Words that hold so many bits. */
export function pushWords(code: FunctionCode): void {
  code.whole(31);
  code.op('i32.add');
  code.whole(5);
  code.op('i32.shr_u');
}

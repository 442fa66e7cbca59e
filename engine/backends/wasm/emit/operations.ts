import type { Expression, Operator } from '../../../kernel-language/expression.ts';
import type { FunctionCode } from './function-code.ts';
import { unsupported } from './access-keys.ts';
import { type Instruction, isInstruction } from './instructions.ts';
import { emitExp, emitLog, emitMadd, emitTanh } from './vector-functions.ts';
import { emitHighWord, emitOnes } from './words.ts';

/** The mask behind a float that is 0 or 1; undefined for any other. */
export function maskOf(node: Expression): Expression | undefined {
  if (node.kind !== 'apply') return undefined;
  const [from] = node.args;
  if (node.operator === 'fires') return from;
  if (node.operator === 'detach') return from && maskOf(from);
  return node.operator === 'convert' && from?.type === 'bool' ? from : undefined;
}

export function scalarOp(code: FunctionCode, operator: Operator, type: Expression['type']): void {
  const sign = type === 'u32' ? 'u' : 's';
  if (operator === 'not') code.op('i32.eqz');
  else if (operator === 'min' || operator === 'max') {
    const b = code.keep('i32');
    const a = code.keep('i32');
    code.get(a);
    code.get(b);
    code.get(a);
    code.get(b);
    code.op(operator === 'min' ? `i32.lt_${sign}` : `i32.gt_${sign}`);
    code.op('select');
  } else if (operator === 'neg') {
    const a = code.keep('i32');
    code.whole(0);
    code.get(a);
    code.op('i32.sub');
  } else {
    const isSigned = ['div', 'rem', 'lt', 'le', 'gt', 'ge', 'shr'].includes(operator);
    code.op(`i32.${operator}${isSigned ? `_${sign}` : ''}` as Instruction);
  }
}

/** An operator on vectors that lie on the stack. */
export function vectorOp(
  code: FunctionCode,
  operator: Operator,
  type: Expression['type'],
  isRelaxed: boolean,
): void {
  const write = WRITTEN[operator];
  if (write) write(code, isRelaxed);
  else code.op(instructionOf(operator, type));
}

/** Operators that take more than an instruction. */
const WRITTEN: Partial<
  Readonly<Record<Operator, (code: FunctionCode, isRelaxed: boolean) => void>>
> = {
  madd: emitMadd,
  exp: emitExp,
  log: emitLog,
  tanh: emitTanh,
  mulHigh: emitHighWord,
  ones: emitOnes,
};

function instructionOf(operator: Operator, type: Expression['type']): Instruction {
  const isSigned = ['lt', 'le', 'gt', 'ge', 'min', 'max'].includes(operator);
  const sign = isSigned ? (type === 'u32' ? '_u' : '_s') : '';
  const shape = type === 'f32' ? `f32x4.${operator}` : `i32x4.${operator}${sign}`;
  const isBitwise = ['and', 'or', 'xor', 'not'].includes(operator);
  const name = isBitwise ? `v128.${operator}` : shape;
  if (isInstruction(name)) return name;
  throw unsupported(`${operator} of ${type}`);
}

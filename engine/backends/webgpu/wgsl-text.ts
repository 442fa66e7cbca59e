import type { Apply, Expression, Operator, ValueType } from '../../kernel-language/expression.ts';

/** A number as WGSL spells it. */
export function literal(value: number, type: Expression['type']): string {
  if (type === 'i32') return `${Math.trunc(value)}i`;
  if (type === 'u32') return `${value >>> 0}u`;
  if (type === 'bool') return value === 0 ? 'false' : 'true';
  if (value === Number.POSITIVE_INFINITY) return '3.4e38';
  if (value === Number.NEGATIVE_INFINITY) return '-3.4e38';
  const rounded = String(Math.fround(value));
  return /[.e]/.test(rounded) ? `${rounded}f` : `${rounded}.0f`;
}

const INFIX: Partial<Readonly<Record<Operator, string>>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  rem: '%',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  eq: '==',
  ne: '!=',
};

const LOGICAL: Partial<Readonly<Record<Operator, readonly [ofBool: string, ofBits: string]>>> = {
  and: ['&&', '&'],
  or: ['||', '|'],
  xor: ['!=', '^'],
};

/** A type in WGSL, of one value or of a vector of four. */
export function spell(type: ValueType, lanes: 1 | 4): string {
  if (lanes === 1) return type;
  return type === 'bool' ? 'vec4<bool>' : `vec4${type.charAt(0)}`;
}

/** The arguments by their names, and a type as the value has it: of one place or of four. */
interface Named {
  readonly node: Apply;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  typed(type: ValueType): string;
}
type Spelling = (named: Named) => string;

/** Operators that are neither infix nor functions of their own names. */
const OTHERS: Partial<Readonly<Record<Operator, Spelling>>> = {
  neg: ({ a }) => `(-${a})`,
  not: ({ a }) => `(!${a})`,
  madd: ({ a, b, c }) => `(${a} * ${b} + ${c})`,
  select: ({ a, b, c }) => `select(${c}, ${b}, ${a})`,
  shl: ({ a, b, typed }) => `(${a} << ${typed('u32')}(${b}))`,
  shr: ({ a, b, typed }) => `(${a} >> ${typed('u32')}(${b}))`,
  convert: ({ node: { type }, a, typed }) => `${typed(type)}(${a})`,
  bits: ({ node: { type }, a, typed }) => `bitcast<${typed(type)}>(${a})`,
  detach: ({ a }) => a,
  fires: ({ a, typed }) => `${typed('f32')}(${a})`,
  mulHigh: ({ a, b }) => `high_word(${a}, ${b})`,
  ones: ({ a }) => `countOneBits(${a})`,
  // Saturates as it does elsewhere: infinity times zero would be no number.
  exp: ({ a, typed }) => `exp(min(${a}, ${typed('f32')}(88.3)))`,
  // Some devices compute it by e^2x, which overflows.
  tanh: ({ a, typed }) => `tanh(clamp(${a}, ${typed('f32')}(-15.0), ${typed('f32')}(15.0)))`,
};

/** The four words of a draw whose arguments have names. */
export function drawOf([index, stream, step, low, high]: readonly string[]): string {
  return `philox(vec4u(${index} / 4u, ${stream}, ${step}, 0u), vec2u(${low}, ${high}))`;
}

/** Files under shaders/ with the functions that some values are computed by. */
export function librariesOf(all: readonly Expression[]): readonly string[] {
  const uses = (...operators: readonly Operator[]) =>
    all.some((node) => node.kind === 'apply' && operators.includes(node.operator));
  return [
    ...(uses('draw', 'mulHigh') ? ['lib/philox'] : []),
    ...(uses('sin', 'cos') ? ['lib/angle'] : []),
  ];
}

/** An operator on values that have names, each of one place or of four. */
export function applied(node: Apply, name: (node: Expression) => string, lanes: 1 | 4): string {
  const names = node.args.map(name);
  const infix = infixOf(node, lanes);
  if (infix !== undefined) return `(${names.join(` ${infix} `)})`;
  const [a = '', b = '', c = ''] = names;
  if (node.operator === 'draw') return `${drawOf(names)}[${a} % 4u]`;
  const typed = (type: ValueType) => spell(type, lanes);
  return (
    OTHERS[node.operator]?.({ node, a, b, c, typed }) ?? `${node.operator}(${names.join(', ')})`
  );
}

function infixOf({ operator, args }: Apply, lanes: 1 | 4): string | undefined {
  // The short signs of conditions are for one of them.
  const isShort = args[0]?.type === 'bool' && (lanes === 1 || operator === 'xor');
  return INFIX[operator] ?? LOGICAL[operator]?.[isShort ? 0 : 1];
}

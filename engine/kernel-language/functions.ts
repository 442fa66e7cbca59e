import type { Expression, ExpressionPool, Operator } from './expression.ts';
import { equationError, type Token } from './tokens.ts';
import { alike, applyTo, expectType } from './typed-values.ts';

/** Where functions are called. */
interface Site {
  readonly pool: ExpressionPool;
  /** The coordinate along the last axis, where there is one. */
  readonly last?: string | undefined;
  /** Whether the value is one of a step, which all places take together. */
  readonly isInStep?: boolean;
}

interface Use extends Site {
  readonly place: Token;
}

type Values = readonly [Expression, Expression, Expression, Expression, Expression];
type Make = (use: Use, ...values: Values) => Expression;
/** The last of them, where they need not be there. */
type Optional = Expression | undefined;

/** A function with the number of values that it takes, and how many more it may take. */
type Entry = readonly [count: number, make: Make, more?: number];

/** The value of a function; throws EngineError `invalid-equation` for one that there is not, or other values. */
export function callFunction(
  { pool, last, isInStep = false }: Site,
  name: Token,
  args: readonly Expression[],
): Expression {
  const [count, make, more = 0] = entryOf(name);
  if (args.length < count || args.length > count + more) {
    const expected = more === 0 ? count : `${count} to ${count + more}`;
    throw equationError(`${name.text} has ${args.length} arguments: expected ${expected}`, name);
  }
  // The functions look at no more values than they take.
  return make({ pool, last, isInStep, place: name }, ...(args as readonly Expression[] as Values));
}

/** Refuses a name that is no function before its values are read. */
export function expectFunction(name: Token): void {
  entryOf(name);
}

function entryOf(name: Token): Entry {
  const found = Object.hasOwn(FUNCTIONS, name.text) ? FUNCTIONS[name.text] : undefined;
  if (found) return found;
  const known = Object.keys(FUNCTIONS).join(', ');
  throw equationError(`there is no function ${name.text}: expected one of ${known}`, name);
}

const ofFloat = (operator: Operator): Entry => [
  1,
  ({ pool, place }, a) => applyTo(pool, operator, [pool.convert(a, 'f32')], place),
];
const ofTwo = (operator: Operator): Entry => [
  2,
  ({ pool, place }, a, b) => applyTo(pool, operator, [a, b], place),
];

const ofBits = (operator: Operator): Entry => [
  2,
  ({ pool, place }, a, b) => pool.apply(operator, ...alike(pool, [a, b], place)),
];
const ofWords = (operator: Operator, count: number): Entry => [
  count,
  ({ pool }, ...values) =>
    pool.apply(operator, ...values.slice(0, count).map((value) => pool.convert(value, 'u32'))),
];

const ofRow =
  (operator: 'sum' | 'max'): Make =>
  ({ pool, isInStep = false, place }, value) => {
    if (!isInStep) return pool.reduction(operator, pool.convert(value, 'f32'));
    throw equationError(`${place.text}(...) stands in a step: expected groupMean(...)`, place);
  };

const FUNCTIONS: Readonly<Record<string, Entry>> = {
  abs: [1, ({ pool, place }, a) => applyTo(pool, 'abs', [a], place)],
  sqrt: ofFloat('sqrt'),
  floor: ofFloat('floor'),
  exp: ofFloat('exp'),
  log: ofFloat('log'),
  tanh: ofFloat('tanh'),
  sin: ofFloat('sin'),
  cos: ofFloat('cos'),
  sigmoid: [1, ({ pool }, a) => sigmoid(pool, pool.convert(a, 'f32'))],
  min: ofTwo('min'),
  max: ofTwo('max'),
  madd: [3, ({ pool, place }, a, b, c) => applyTo(pool, 'madd', [a, b, c], place)],
  shiftLeft: ofTwo('shl'),
  shiftRight: ofTwo('shr'),
  bitAnd: ofBits('and'),
  bitXor: ofBits('xor'),
  mulHigh: ofWords('mulHigh', 2),
  ones: ofWords('ones', 1),
  randomWord: [5, randomWord],
  spike: [1, ({ pool }, a, slope: Optional) => spike(pool, pool.convert(a, 'f32'), slope), 1],
  fires: [
    2,
    ({ pool, place }, a, b) => {
      expectType(a, 'bool', place);
      return pool.apply('fires', a, pool.convert(b, 'f32'));
    },
  ],
  detach: [1, ({ pool }, a) => pool.apply('detach', a)],
  f32: [1, ({ pool }, a) => pool.convert(a, 'f32')],
  i32: [1, ({ pool }, a) => pool.convert(a, 'i32')],
  u32: [1, ({ pool }, a) => pool.convert(a, 'u32')],
  groupMean: [1, groupMean],
  rowSum: [1, ofRow('sum')],
  rowMax: [1, ofRow('max')],
};

function groupMean({ pool, isInStep = false, place }: Use, value: Expression): Expression {
  if (isInStep) return pool.groupMean(pool.convert(value, 'f32'));
  throw equationError('groupMean(...) stands outside of the steps of a scan', place);
}

/** Word `index` of a stream: four vectors, or places, draw theirs together, so these lie side by side. */
function randomWord({ pool, last, place }: Use, index: Expression, ...key: readonly Expression[]) {
  const [a, b] = index.kind === 'apply' && index.operator === 'add' ? index.args : [index];
  const isLast = a?.kind === 'coordinate' && a.name === last;
  if (!isLast || (b && !(b.kind === 'constant' && b.value % 4 === 0))) {
    throw equationError(
      `a random word is drawn elsewhere: expected that of ${last ?? 'the last coordinate'}, or a constant multiple of 4 behind it`,
      place,
    );
  }
  const words = [index, ...key.slice(0, 4)].map((value) => pool.convert(value, 'u32'));
  return pool.apply('draw', ...words);
}

/** Fires above 0: a difference by comparing its parts, which rounds nothing. */
function spike(pool: ExpressionPool, x: Expression, slope: Optional): Expression {
  const [a, b] = x.kind === 'apply' && x.operator === 'sub' ? x.args : [x, pool.constant(0)];
  const own = slope ? [pool.convert(slope, 'f32')] : [];
  return pool.apply('fires', pool.apply('gt', a ?? x, b ?? x), x, ...own);
}

function sigmoid(pool: ExpressionPool, x: Expression): Expression {
  const one = pool.constant(1);
  return pool.apply('div', one, pool.apply('add', one, pool.apply('exp', pool.apply('neg', x))));
}

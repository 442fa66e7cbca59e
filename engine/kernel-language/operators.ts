import { EngineError } from '../errors.ts';
import { philox } from '../random/philox.ts';
import { type Apply, type Expression, type Operator, partsOf } from './expression.ts';

type Compute = (a: number, b: number, c: number, isFloat: boolean) => number;
const truth = (condition: boolean) => Number(condition);

const OPERATORS: Readonly<Record<Exclude<Operator, 'draw'>, Compute>> = {
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  exp: Math.exp,
  log: Math.log,
  tanh: Math.tanh,
  sin: Math.sin,
  cos: Math.cos,
  not: (a) => truth(a === 0),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b, _c, isFloat) => (isFloat ? a * b : Math.imul(a, b)),
  div: (a, b, _c, isFloat) => (isFloat ? a / b : Math.trunc(a / b)),
  rem: (a, b) => a % b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  lt: (a, b) => truth(a < b),
  le: (a, b) => truth(a <= b),
  gt: (a, b) => truth(a > b),
  ge: (a, b) => truth(a >= b),
  eq: (a, b) => truth(a === b),
  ne: (a, b) => truth(a !== b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => a << b,
  shr: (a, b) => a >>> b,
  mulHigh: (a, b) => Number((BigInt(a) * BigInt(b)) >> 32n),
  ones: (a) => (a >>> 0).toString(2).replaceAll('0', '').length,
  madd: (a, b, c) => a * b + c,
  select: (a, b, c) => (a === 0 ? c : b),
  convert: (a) => a,
  bits: () => {
    throw new EngineError('invalid-equation', 'the bits of a float have no meaning in float64');
  },
  fires: (a) => a,
  detach: (a) => a,
};

/** The value of an operator of at most three arguments in float64; whole numbers wrap around. */
type Meaning = (a: number, b: number, c: number) => number;

function meaningOf({ args, type }: Apply, operator: Exclude<Operator, 'draw'>): Meaning {
  const compute = OPERATORS[operator];
  const isFloat = args[0]?.type === 'f32';
  // Of two values one is chosen as it is: words may be those of floats.
  if (operator === 'select' || type === 'f32' || type === 'bool')
    return (a, b, c) => compute(a, b, c, isFloat);
  if (type === 'i32') return (a, b, c) => compute(a, b, c, isFloat) | 0;
  return (a, b, c) => compute(a, b, c, isFloat) >>> 0;
}

/** Computes an operator from the registers of its values into its own, each by its number. */
export function operationOf(node: Apply, registers: Float64Array): () => void {
  const { id, operator } = node;
  const places = node.args.map((arg) => arg.id);
  if (operator === 'draw') {
    return () => {
      registers[id] = drawWord(places.map((place) => registers[place] as number));
    };
  }
  const meaning = meaningOf(node, operator);
  const [a = 0, b = 0, c = 0] = places;
  return () => {
    registers[id] = meaning(registers[a] as number, registers[b] as number, registers[c] as number);
  };
}

function drawWord([index = 0, stream = 0, step = 0, low = 0, high = 0]: readonly number[]): number {
  return philox([Math.floor(index / 4), stream, step, 0], [low, high])[index % 4] ?? 0;
}

/** Whether attributes and constants alone determine a value. */
export function isSettled(node: Expression): boolean {
  if (node.kind === 'constant' || node.kind === 'attribute') return true;
  return node.kind === 'apply' && partsOf(node).every(isSettled);
}

/** A value that attributes and constants determine, in float64: a device rounds it once. */
export function settle(node: Expression, attribute: (name: string) => number): number {
  if (node.kind === 'constant') return node.value;
  if (node.kind === 'attribute') return attribute(node.name);
  if (node.kind !== 'apply') throw new Error(`a ${node.kind} is not settled by attributes`);
  const values = node.args.map((arg) => settle(arg, attribute));
  if (node.operator === 'draw') return drawWord(values);
  const [a = 0, b = 0, c = 0] = values;
  return meaningOf(node, node.operator)(a, b, c);
}

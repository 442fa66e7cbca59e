/** Types of a value: a float, whole numbers of 32 bits, a truth value. */
export type ValueType = 'f32' | 'i32' | 'u32' | 'bool';

/** Operators with their number of arguments. Comparisons give `bool`; `select` takes condition, then, else. */
export const ARITIES = {
  neg: 1,
  abs: 1,
  sqrt: 1,
  floor: 1,
  exp: 1,
  log: 1,
  tanh: 1,
  sin: 1,
  cos: 1,
  not: 1,
  add: 2,
  sub: 2,
  mul: 2,
  div: 2,
  rem: 2,
  min: 2,
  max: 2,
  lt: 2,
  le: 2,
  gt: 2,
  ge: 2,
  eq: 2,
  ne: 2,
  and: 2,
  or: 2,
  xor: 2,
  shl: 2,
  shr: 2,
  /** Upper word of a product of u32. */
  mulHigh: 2,
  /** How many bits are set. */
  ones: 1,
  /** A random word of Philox: place, stream, step, and the seed's low and high word. */
  draw: 5,
  /** a b + c, in one rounding where the device has it. */
  madd: 3,
  select: 3,
  /** The value in the type that the node has. */
  convert: 1,
  /** The bits in the type that the node has. */
  bits: 1,
  /**
   * 1 where the condition is true, else 0; the derivative by the second argument is the third, or where there is
   * none the surrogate's slope there.
   */
  fires: 3,
  /** The argument, without a gradient. */
  detach: 1,
} as const;
export type Operator = keyof typeof ARITIES;

interface Node {
  readonly type: ValueType;
  /** Number of the node in its pool: those that it depends on have smaller ones. */
  readonly id: number;
}

export interface Constant extends Node {
  readonly kind: 'constant';
  readonly value: number;
}

/** A number that the caller of the kernel sets. */
interface Attribute extends Node {
  readonly kind: 'attribute';
  readonly name: string;
}

/** Where in the domain the value is computed: the place along an axis. */
interface Coordinate extends Node {
  readonly kind: 'coordinate';
  readonly name: string;
}

/** An element of an operand, by one index for each axis of its shape. */
export interface Load extends Node {
  readonly kind: 'load';
  readonly operand: string;
  readonly indices: readonly Expression[];
}

/** The value of a state when the step begins. */
interface State extends Node {
  readonly kind: 'state';
  readonly name: string;
}

/** A value that a sequence before this one noted down in the step. */
interface Trail extends Node {
  readonly kind: 'trail';
  readonly name: string;
}

export interface Apply extends Node {
  readonly kind: 'apply';
  readonly operator: Operator;
  readonly args: readonly Expression[];
}

/** The sum or maximum of a value over the last axis. */
export interface Reduction extends Node {
  readonly kind: 'reduction';
  readonly operator: 'sum' | 'max';
  readonly value: Expression;
}

/** The mean of a value over the last axis, in the step at hand. */
export interface GroupMean extends Node {
  readonly kind: 'mean';
  readonly value: Expression;
}

export type Expression =
  | Constant
  | Attribute
  | Coordinate
  | Load
  | State
  | Trail
  | Apply
  | Reduction
  | GroupMean;

type Unnumbered<E> = E extends Expression ? Omit<E, 'id'> : never;

/**
 * The expressions of one kernel. Equal ones are one object, so a graph of them has each value once.
 * Only folds what is exact: constants, and a factor or divisor of 1.
 */
export class ExpressionPool {
  readonly #known = new Map<string, Expression>();

  constant(value: number, type: ValueType = 'f32'): Expression {
    return this.#intern({ kind: 'constant', type, value });
  }

  attribute(name: string, type: ValueType): Expression {
    return this.#intern({ kind: 'attribute', type, name });
  }

  coordinate(name: string): Expression {
    return this.#intern({ kind: 'coordinate', type: 'i32', name });
  }

  load(operand: string, type: ValueType, indices: readonly Expression[]): Expression {
    return this.#intern({ kind: 'load', type, operand, indices });
  }

  state(name: string, type: ValueType): Expression {
    return this.#intern({ kind: 'state', type, name });
  }

  trail(name: string, type: ValueType): Expression {
    return this.#intern({ kind: 'trail', type, name });
  }

  reduction(operator: 'sum' | 'max', value: Expression): Expression {
    return this.#intern({ kind: 'reduction', type: 'f32', operator, value });
  }

  /** Of what all places share it is that itself. */
  groupMean(value: Expression): Expression {
    if (value.kind === 'constant' || value.kind === 'mean') return value;
    return this.#intern({ kind: 'mean', type: 'f32', value });
  }

  convert(value: Expression, type: ValueType): Expression {
    if (value.type === type) return value;
    if (value.kind === 'constant') return this.constant(value.value, type);
    return this.#intern({ kind: 'apply', type, operator: 'convert', args: [value] });
  }

  bits(value: Expression, type: ValueType): Expression {
    return this.#intern({ kind: 'apply', type, operator: 'bits', args: [value] });
  }

  /** Arguments of one type; the result has it too, unless the operator compares. */
  apply(operator: Operator, ...args: readonly Expression[]): Expression {
    const folded = this.#fold(operator, args);
    if (folded) return folded;
    const type = COMPARISONS.has(operator) ? 'bool' : (args.at(-1)?.type ?? 'f32');
    return this.#intern({ kind: 'apply', type, operator, args });
  }

  #fold(operator: Operator, args: readonly Expression[]): Expression | undefined {
    const [first, second] = args;
    if (!first) return undefined;
    const values = args.flatMap((arg) => (arg.kind === 'constant' ? [arg.value] : []));
    const exact = FOLDED[operator];
    if (exact && values.length === args.length) {
      return this.constant(roundTo(first.type, exact(...values)), first.type);
    }
    if (operator === 'mul' && isOne(first)) return second;
    if ((operator === 'mul' || operator === 'div') && isOne(second)) return first;
    return undefined;
  }

  #intern(node: Unnumbered<Expression>): Expression {
    const key = keyOf(node);
    const known = this.#known.get(key);
    if (known) return known;
    // Each member of the union gets the number that it lacks.
    const made = { ...node, id: this.#known.size } as Expression;
    this.#known.set(key, made);
    return made;
  }
}

function keyOf(node: Unnumbered<Expression>): string {
  const ids = (parts: readonly Expression[]) => parts.map(({ id }) => id).join(',');
  switch (node.kind) {
    case 'constant':
      return `${node.type} ${Object.is(node.value, -0) ? '-0' : node.value}`;
    case 'load':
      return `load ${node.operand}[${ids(node.indices)}]`;
    case 'apply':
      return `${node.type} ${node.operator}(${ids(node.args)})`;
    case 'reduction':
      return `${node.operator} over ${node.value.id}`;
    case 'mean':
      return `mean of ${node.value.id}`;
    default:
      return `${node.kind} ${node.name}`;
  }
}

const COMPARISONS: ReadonlySet<Operator> = new Set(['lt', 'le', 'gt', 'ge', 'eq', 'ne'] as const);

const FOLDED: Partial<Record<Operator, (...values: readonly number[]) => number>> = {
  neg: (a = 0) => -a,
  add: (a = 0, b = 0) => a + b,
  sub: (a = 0, b = 0) => a - b,
  mul: (a = 0, b = 0) => a * b,
};

function roundTo(type: ValueType, value: number): number {
  // Floats stay in float64, which is what the reference computes in; devices round them once.
  return type === 'i32' ? value | 0 : type === 'u32' ? value >>> 0 : value;
}

function isOne(value: Expression | undefined): boolean {
  return value?.kind === 'constant' && value.value === 1;
}

/** The expressions that a node is computed from directly. */
export function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'apply') return expression.args;
  if (expression.kind === 'load') return expression.indices;
  return isJoined(expression) ? [expression.value] : [];
}

/** Whether a pass over the last axis gives the value, and no operator. */
export function isJoined(node: Expression): node is Reduction | GroupMean {
  return node.kind === 'reduction' || node.kind === 'mean';
}

/** Every expression that the roots are computed from, and they themselves, each after its parts; not what is known. */
export function closureOf(
  roots: Iterable<Expression>,
  isKnown: (node: Expression) => boolean = () => false,
): Expression[] {
  const seen = new Set<Expression>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node) || isKnown(node)) continue;
    seen.add(node);
    open.push(...partsOf(node));
  }
  return [...seen].toSorted((a, b) => a.id - b.id);
}

import type { Axis, Body, Layout, Sequence, Store } from './body.ts';
import { closureOf, type Expression, isJoined, type Operator, partsOf } from './expression.ts';

/**
 * A body as equations to read, gradients with all that they recompute: arrays with their axes, the domain,
 * and line by line what is computed. A value that is used more than once has a line and a name `v1`, `v2`, ….
 */
export function printBody(body: Body): string {
  const scanned = new Set(body.sequences.map(({ coordinate }) => coordinate));
  const touched = operandsOf(body);
  const printer = new BodyPrinter(body);
  return [
    ...Object.entries(body.layouts)
      .filter(([name]) => touched.has(name))
      .map(([name, layout]) => `${name}: ${printLayout(layout)}`),
    `for each ${
      body.domain
        .filter(({ coordinate }) => !scanned.has(coordinate))
        .map(printAxis)
        .join(', ') || 'call'
    }`,
    ...body.sequences.flatMap((sequence) => printer.sequence(sequence, body.isCheckpointed)),
    ...printer.values(body.stores.flatMap(rootsOf), '  '),
    ...body.stores.map((store) => `  ${printer.store(store)}`),
    ...(body.until ? [`  sums of a row end before ${printer.text(body.until)}`] : []),
  ].join('\n');
}

function operandsOf(body: Body): ReadonlySet<string> {
  const stores = [...body.stores, ...body.sequences.flatMap((one) => one.stores)];
  const read = closureOf(allRoots(body)).flatMap((node) =>
    node.kind === 'load' ? [node.operand] : [],
  );
  return new Set([...read, ...stores.map(({ operand }) => operand)]);
}

const printLayout = ({ element, axes }: Layout) => `${element}[${axes.join(', ')}]`;
const printAxis = ({ coordinate, size }: Axis) => `${coordinate} < ${size}`;
const rootsOf = ({ indices, value }: Store) => [...indices, value];

class BodyPrinter {
  readonly #uses = new Map<Expression, number>();
  #names = new Map<Expression, string>();
  #count = 0;

  constructor(body: Body) {
    const roots = allRoots(body);
    const parts = closureOf(roots).flatMap(partsOf);
    for (const used of [...roots, ...parts]) this.#uses.set(used, (this.#uses.get(used) ?? 0) + 1);
  }

  sequence(sequence: Sequence, isCheckpointed = false): string[] {
    const { coordinate, from, to, isBackward, states, stores, trail } = sequence;
    const [first, last] = [this.text(from), this.text(to)];
    const outside = this.#names;
    // Values of a step are gone after it.
    this.#names = new Map(outside);
    const roots = [
      ...stores.flatMap(rootsOf),
      ...trail.map(({ value }) => value),
      ...states.map(({ next }) => next),
    ];
    const way =
      isBackward === true ? `from ${last} - 1 down to ${first}` : `from ${first} to ${last}`;
    const lines = [
      ...states.map(({ name, initial }) => `  state ${name} = ${this.text(initial)}`),
      `  step by step, ${coordinate} ${way}${isCheckpointed ? ', in segments between checkpoints' : ''}`,
      ...this.values(roots, '    '),
      ...trail.map(({ name, value }) => `    note ${name} = ${this.text(value)}`),
      ...stores.map((store) => `    ${this.store(store)}`),
      ...states.map(({ name, next }) => `    next ${name} = ${this.text(next)}`),
    ];
    this.#names = outside;
    return lines;
  }

  /** A line for each value that is used more than once and is more than a name. */
  values(roots: readonly Expression[], indent: string): string[] {
    const lines: string[] = [];
    for (const node of closureOf(roots, (one) => this.#names.has(one))) {
      const isShared =
        (this.#uses.get(node) ?? 0) > 1 && (partsOf(node).length > 1 || isJoined(node));
      if (!isShared) continue;
      const line = this.text(node);
      const name = `v${++this.#count}`;
      this.#names.set(node, name);
      lines.push(`${indent}${name} = ${line}`);
    }
    return lines;
  }

  store({ operand, indices, value }: Store): string {
    return `${operand}[${indices.map((index) => this.text(index)).join(', ')}] = ${this.text(value)}`;
  }

  /** `strength` is how tightly what stands around it binds: anything looser is in parentheses. */
  text(node: Expression, strength = 0): string {
    const name = this.#names.get(node);
    if (name !== undefined) return name;
    switch (node.kind) {
      case 'constant':
        return String(node.value);
      case 'load':
        return `${node.operand}[${node.indices.map((index) => this.text(index)).join(', ')}]`;
      case 'reduction':
        return `row${node.operator === 'sum' ? 'Sum' : 'Max'}(${this.text(node.value)})`;
      case 'mean':
        return `groupMean(${this.text(node.value)})`;
      case 'apply':
        return this.#apply(node.operator, node.args, { type: node.type, strength });
      default:
        return node.name;
    }
  }

  #apply(
    operator: Operator,
    args: readonly Expression[],
    { type, strength }: { readonly type: string; readonly strength: number },
  ): string {
    const infix = INFIX[operator];
    if (infix && args.length === 2) {
      const [sign, binds] = infix;
      // Not associative in floating point: the right side keeps its parentheses.
      const [left, right] = args.map((arg, index) => this.text(arg, binds + index));
      const text = `${left} ${sign} ${right}`;
      return binds < strength ? `(${text})` : text;
    }
    if (operator === 'select') {
      const [condition, then, other] = args.map((arg) => this.text(arg, 1));
      const text = `${condition} ? ${then} : ${other}`;
      return strength > 0 ? `(${text})` : text;
    }
    const name = operator === 'convert' ? type : operator === 'bits' ? `bits of ${type}` : operator;
    return `${name}(${args.map((arg) => this.text(arg)).join(', ')})`;
  }
}

/** Signs of the operators that stand between their arguments, and how tightly they bind. */
const INFIX: Partial<Record<Operator, readonly [sign: string, binds: number]>> = {
  or: ['or', 1],
  and: ['and', 2],
  lt: ['<', 3],
  le: ['<=', 3],
  gt: ['>', 3],
  ge: ['>=', 3],
  eq: ['==', 3],
  ne: ['!=', 3],
  add: ['+', 4],
  sub: ['-', 4],
  mul: ['*', 5],
  div: ['/', 5],
  rem: ['%', 5],
};

/** All expressions that a body stores, hands on or is bounded by. */
export function allRoots({ sequences, stores, until }: Body): Expression[] {
  return [
    ...sequences.flatMap(({ from, to, states, stores: own, trail }) => [
      from,
      to,
      ...states.flatMap(({ initial, next }) => [initial, next]),
      ...own.flatMap(rootsOf),
      ...trail.map(({ value }) => value),
    ]),
    ...stores.flatMap(rootsOf),
    ...(until ? [until] : []),
  ];
}

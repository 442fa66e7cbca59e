import type { Roles } from '../graph/kernel.ts';
import type { Axis, Layout, StateVariable, Store } from './body.ts';
import type { Expression, ExpressionPool, ValueType } from './expression.ts';
import { expectOwnPlace, parseExpression, type Scope } from './parse-expression.ts';
import { equationError, readLines, type Token } from './tokens.ts';

interface Site {
  readonly pool: ExpressionPool;
  readonly domain: readonly Axis[];
  readonly layouts: Readonly<Record<string, Layout>>;
  /** Attributes that are 1 where an operand is held, by the coordinate that they are the length of otherwise. */
  readonly held: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, 'int' | 'float'>;
  readonly roles: Roles;
  /** Whether `(+)=` adds. */
  readonly accumulates: boolean;
  /** Whether the first lines are those of a step. */
  readonly isScan: boolean;
}

/** Reads statements one after the other, with the values that names have at each. */
export class StatementReader {
  readonly #site: Site;
  readonly #scope: Scope;
  readonly #values = new Map<string, Expression>();
  readonly #initial = new Map<string, Expression>();
  /** Each state as the step left it, once that has ended. */
  readonly #nexts = new Map<string, Expression>();
  #isInStep: boolean;

  constructor(site: Site) {
    this.#site = site;
    this.#isInStep = site.isScan;
    const values = this.#values;
    const isInStep = () => this.#isInStep;
    this.#scope = {
      pool: site.pool,
      last: site.domain.at(-1)?.coordinate,
      get isInStep() {
        return isInStep();
      },
      find: (name, indices) => this.#find(name, indices),
      get names() {
        return [...values.keys(), ...Object.keys(site.layouts), ...site.types.keys()];
      },
    };
  }

  /** `state u = 0`, `name = value`, or an operand's element = value, which is put among the stores. */
  read(tokens: readonly Token[], stores: Store[]): void {
    const [name, second] = tokens as [Token, Token];
    if (name.kind !== 'name') {
      throw equationError(`"${name.text}" stands where a name was expected`, name);
    }
    const layout = this.#site.layouts[name.text];
    if (name.text === 'state' && second.kind === 'name') this.#declare(tokens);
    else if (layout && !this.#site.roles[name.text]?.startsWith('read')) {
      stores.push(this.#store(tokens, layout));
    } else {
      expectSign(second, '=');
      const value = this.#valueAt(tokens, 2);
      const type = this.#initial.get(name.text)?.type;
      this.#values.set(name.text, type ? this.#site.pool.convert(value, type) : value);
    }
  }

  /** Whether lines are those of a step. */
  get isInStep(): boolean {
    return this.#isInStep;
  }

  /** From here on a state is what the last step left. */
  endStep(): void {
    this.#isInStep = false;
    for (const [name, { type }] of this.#initial) {
      const state = this.#site.pool.state(name, type);
      this.#nexts.set(name, this.#values.get(name) ?? state);
      this.#values.set(name, state);
    }
  }

  /** The value of a bound of the scan. */
  evaluate(text: string): Expression {
    return this.#outside(() => this.#index(this.#valueAt(readLines(text)[0] ?? [], 0)));
  }

  states(): StateVariable[] {
    return Array.from(this.#initial, ([name, initial]) => {
      const { type } = initial;
      // A state that no line changes keeps its value.
      const kept = this.#values.get(name) ?? this.#site.pool.state(name, type);
      return { name, type, initial, next: this.#nexts.get(name) ?? kept };
    });
  }

  /** Reads what is known before the first step. */
  #outside<T>(read: () => T): T {
    const before = this.#isInStep;
    this.#isInStep = false;
    const value = read();
    this.#isInStep = before;
    return value;
  }

  #find(name: string, indices: readonly Expression[] | undefined): Expression | undefined {
    if (indices) return this.#load(name, indices);
    const known = this.#values.get(name);
    if (known) return known;
    const { pool, domain } = this.#site;
    if (domain.some(({ coordinate }) => coordinate === name)) return pool.coordinate(name);
    return this.#load(name, undefined) ?? this.#attribute(name);
  }

  #attribute(name: string): Expression | undefined {
    const { pool, types } = this.#site;
    const type = types.get(name);
    return type && pool.attribute(name, type === 'int' ? 'i32' : 'f32');
  }

  #load(name: string, indices: readonly Expression[] | undefined): Expression | undefined {
    const { pool, layouts } = this.#site;
    const layout = layouts[name];
    if (!layout) return undefined;
    const places = indices?.map((index) => this.#index(index)) ?? this.#placesOf(layout);
    return pool.load(name, typeOf(layout), places);
  }

  #index(value: Expression): Expression {
    return this.#site.pool.convert(value, 'i32');
  }

  /** The element of an operand at the present coordinates. */
  #placesOf({ axes }: Layout): readonly Expression[] {
    const { pool, domain, held } = this.#site;
    return axes.map((axis) => {
      if (axis === 1) return pool.constant(0, 'i32');
      const own = domain.findLast(({ size }) => size === String(axis));
      if (own) return pool.coordinate(own.coordinate);
      const coordinate = held[String(axis)];
      const size = this.#attribute(String(axis));
      if (coordinate === undefined || !size) {
        throw new Error(`axis ${axis}: expected one of the domain`);
      }
      const last = pool.apply('sub', size, pool.constant(1, 'i32'));
      return pool.apply('min', pool.coordinate(coordinate), last);
    });
  }

  /** `state u = 0` */
  #declare(tokens: readonly Token[]): void {
    const name = tokens[1] as Token;
    expectSign(tokens[2], '=');
    const value = this.#outside(() => this.#valueAt(tokens, 3));
    if (value.type === 'bool') throw equationError('a state is a number', name);
    this.#initial.set(name.text, value);
    this.#values.set(name.text, this.#site.pool.state(name.text, value.type));
  }

  /** `operand = value`, `operand[i, j] = value`, `operand (+)= value` */
  #store(tokens: readonly Token[], layout: Layout): Store {
    const { pool, accumulates } = this.#site;
    const name = tokens[0] as Token;
    const [indices, at] = this.#target(tokens, layout);
    const sign = tokens[at];
    if (sign?.text !== '(+)=') expectSign(sign, '=');
    const given = this.#valueAt(tokens, at + 1);
    const type = typeOf(layout);
    const value = type === 'bool' ? conditionOf(given, name) : pool.convert(given, type);
    this.#values.set(name.text, value);
    if (sign?.text !== '(+)=' || !accumulates) return { operand: name.text, indices, value };
    const before = pool.load(name.text, type, indices);
    return { operand: name.text, indices, value: pool.apply('add', value, before) };
  }

  /** Where a value is stored, and the place of the sign behind it. */
  #target(tokens: readonly Token[], layout: Layout): readonly [readonly Expression[], number] {
    if (tokens[1]?.text !== '[') return [this.#placesOf(layout), 1];
    const indices: Expression[] = [];
    let at = 1;
    do {
      const [one, next] = parseExpression(tokens, at + 1, this.#scope);
      indices.push(this.#index(one));
      at = next;
    } while (tokens[at]?.text === ',');
    expectSign(tokens[at], ']');
    expectOwnPlace(indices, tokens[0] as Token);
    return [indices, at + 1];
  }

  #valueAt(tokens: readonly Token[], first: number): Expression {
    const [value, next] = parseExpression(tokens, first, this.#scope);
    const rest = tokens[next];
    if (rest && rest.kind !== 'end') {
      throw equationError(`"${rest.text}" stands where the line should end`, rest);
    }
    return value;
  }
}

function typeOf({ element }: Layout): ValueType {
  return element === 'bits' ? 'bool' : element;
}

function conditionOf(value: Expression, place: Token): Expression {
  if (value.type === 'bool') return value;
  // Kept as it is: a derivative needs to know that it is a spike.
  if (value.kind === 'apply' && value.operator === 'fires') return value;
  throw equationError(`${place.text} holds bits: expected a condition or spike(...)`, place);
}

function expectSign(token: Token | undefined, sign: string): void {
  if (token && token.text !== sign) {
    throw equationError(`"${token.text}" stands where "${sign}" was expected`, token);
  }
}

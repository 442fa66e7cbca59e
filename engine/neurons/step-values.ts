import { closureOf, type Expression, type ExpressionPool } from '../kernel-language/expression.ts';
import { parseExpression, type Scope } from '../kernel-language/parse-expression.ts';
import { equationError, type Token } from '../kernel-language/tokens.ts';
import type { StepInputs, StepResults } from '../kernels/written-neuron.ts';
import { integrate } from './integration.ts';
import type { Method, Statement } from './statements.ts';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
type Equation = Of<'rate'> | Of<'equation'>;

/** A neuron's statements by what they are. */
export interface Plan {
  readonly states: readonly Of<'state'>[];
  readonly parameters: readonly Of<'parameter'>[];
  readonly learned: readonly Of<'learned'>[];
  readonly equations: readonly Equation[];
  /** The word of the one spike. */
  readonly spike: Token;
  readonly method: Method;
  readonly dt: number;
}

/** The functions that equations may call; those of the kernel language that join a row, or know types, are not among them. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'abs',
  'sqrt',
  'floor',
  'exp',
  'log',
  'tanh',
  'sin',
  'cos',
  'sigmoid',
  'min',
  'max',
  'madd',
  'spike',
  'detach',
  'groupMean',
]);

/** Computes the step of a neuron. Throws EngineError `invalid-equation` with the place in the text. */
export function stepOf(plan: Plan, inputs: StepInputs): StepResults {
  const { pool } = inputs;
  const values = valuesAtRest(plan, inputs);
  const states = new Set(plan.states.map(({ name }) => name.text));
  const formulas: Of<'equation'>[] = [];
  let spike: Expression | undefined;
  for (let at = 0; at < plan.equations.length; at++) {
    const equation = plan.equations[at] as Equation;
    if (equation.kind === 'rate') {
      const system = adjacentRates(plan, at);
      advance(plan, { inputs, values, formulas, system });
      at += system.length - 1;
      continue;
    }
    const { name, tokens } = equation;
    const value = evaluate(pool, values, tokens);
    if (tokens.includes(plan.spike)) spike = expectWhole(value, tokens);
    else if (!states.has(name.text)) formulas.push(equation);
    if (value.type === 'bool' && states.has(name.text)) {
      throw equationError(`${name.text} is a state: expected a number, not a condition`, name);
    }
    values.set(name.text, value);
  }
  if (!spike)
    throw equationError('expected a line of its own, such as s = spike(u - 1)', plan.spike);
  const next = plan.states.map(({ name }) => values.get(name.text) ?? pool.constant(0));
  return { next, spike, excess: excessOf(spike) };
}

function excessOf(spike: Expression): Expression {
  return (spike.kind === 'apply' ? spike.args[1] : undefined) ?? spike;
}

function valuesAtRest(plan: Plan, inputs: StepInputs): Map<string, Expression> {
  const { states, parameters, learned } = plan;
  return new Map([
    ['I', inputs.current],
    ['dt', inputs.dt],
    ...states.map(({ name }, index) => [name.text, inputs.state(index)] as const),
    ...parameters.map(({ name }, index) => [name.text, inputs.parameter(index)] as const),
    ...learned.map(({ name }, index) => [name.text, inputs.learned(index)] as const),
  ]);
}

/** The line is nothing but the spike: what fires is known by it. */
function expectWhole(value: Expression, tokens: readonly Token[]): Expression {
  if (value.kind === 'apply' && value.operator === 'fires' && tokens[0]?.text === 'spike')
    return value;
  const place = tokens.find(({ text }) => text === 'spike') ?? (tokens[0] as Token);
  throw equationError(
    'spike(...) stands in a sum: expected a line of its own, such as s = spike(u - 1)',
    place,
  );
}

/** Equations dx/dt that follow each other are one system. */
function adjacentRates({ equations }: Plan, first: number): Of<'rate'>[] {
  const rest = equations.slice(first);
  const end = rest.findIndex(({ kind }) => kind !== 'rate');
  return rest.slice(0, end < 0 ? rest.length : end).filter((one) => one.kind === 'rate');
}

interface Advance {
  readonly inputs: StepInputs;
  readonly values: Map<string, Expression>;
  /** Equations in front of the system: they hold at every place that a method looks at. */
  readonly formulas: readonly Of<'equation'>[];
  readonly system: readonly Of<'rate'>[];
}

/** Takes the states of a system a step on. */
function advance(plan: Plan, { inputs, values, formulas, system }: Advance): void {
  const { pool, dt } = inputs;
  const names = new Set(plan.states.map(({ name }) => name.text));
  const seen = new Set<string>();
  for (const { name, state } of system) {
    if (!names.has(state)) {
      throw equationError(
        `${state} is no state: expected d and one of ${[...names].join(', ')}`,
        name,
      );
    }
    if (seen.has(state)) throw equationError(`a second rate of ${state}: expected one`, name);
    seen.add(state);
  }
  const ratesAt = (stage: ReadonlyMap<string, Expression>) =>
    system.map(({ tokens }) => expectNumber(evaluate(pool, stage, tokens), tokens[0] as Token));
  const before = system.map(({ state }) => values.get(state) as Expression);
  const after = integrate(
    {
      pool,
      dt,
      values: before,
      rates(at) {
        if (at === before) return ratesAt(values);
        const stage = new Map(values);
        for (const [index, { state }] of system.entries())
          stage.set(state, at[index] as Expression);
        for (const { name, tokens } of formulas)
          stage.set(name.text, evaluate(pool, stage, tokens));
        return ratesAt(stage);
      },
    },
    plan.method,
  );
  for (const [index, { state }] of system.entries()) values.set(state, after[index] as Expression);
}

function expectNumber(value: Expression, place: Token): Expression {
  if (value.type === 'f32') return value;
  throw equationError('a rate is a number: expected no condition', place);
}

function evaluate(
  pool: ExpressionPool,
  values: ReadonlyMap<string, Expression>,
  tokens: readonly Token[],
): Expression {
  const [start] = tokens as [Token];
  for (const [index, token] of tokens.entries()) {
    const isCall = token.kind === 'name' && tokens[index + 1]?.text === '(';
    if (!isCall || FUNCTIONS.has(token.text)) continue;
    const known = [...FUNCTIONS].join(', ');
    throw equationError(`there is no function ${token.text}: expected one of ${known}`, token);
  }
  const scope: Scope = {
    pool,
    isInStep: true,
    find: (name, indices) => (indices ? undefined : values.get(name)),
    names: [...values.keys()],
  };
  const [value, next] = parseExpression(tokens, 0, scope);
  const rest = tokens[next] as Token;
  if (rest.kind !== 'end')
    throw equationError(`"${rest.text}" stands where the line should end`, rest);
  const zero = closureOf([value]).some(
    (node) => node.kind === 'apply' && node.operator === 'div' && isZero(node.args[1]),
  );
  if (zero) throw equationError('division by zero', start);
  return value;
}

const isZero = (node: Expression | undefined) => node?.kind === 'constant' && node.value === 0;

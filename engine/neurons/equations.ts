import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { EngineError } from '../errors.ts';
import { closureOf, ExpressionPool } from '../kernel-language/expression.ts';
import { equationError, type Token } from '../kernel-language/tokens.ts';
import type { LearnedParameter, WrittenNeuron } from '../kernels/written-neuron.ts';
import { expectBounded } from './divergence.ts';
import { NEURON_LIMITS } from './limits.ts';
import { normalise, readStatements, type Statement } from './statements.ts';
import { type Plan, stepOf } from './step-values.ts';

/** Words that mean something already. */
const RESERVED: ReadonlySet<string> = new Set(['I', 'dt', 'state', 'learn', 'method', 'in', 'per']);

const DEFAULT_DT = 1;

/**
 * Reads a neuron from equations. Throws EngineError `invalid-equation` with line, column and what was expected.
 *
 *   state u = 0
 *   learn beta = 0.95 in [0, 1] per neuron
 *   u = beta * u + I
 *   s = spike(u - 1)
 *   u = u - s
 */
export function parseNeuron(text: string): WrittenNeuron {
  expectCount('characters', text.length);
  const source = text.replaceAll('\r\n', '\n');
  const plan = planOf(readStatements(source));
  const joins = plan.equations
    .flatMap(({ tokens }) => tokens)
    .find((token) => token.text === 'groupMean');
  const neuron: WrittenNeuron = {
    text,
    digest: bytesToHex(sha256(utf8ToBytes(normalise(source)))),
    states: plan.states.map(({ name, value }) => ({ name: name.text, initial: value })),
    parameters: plan.parameters.map(({ name, value }) => ({ name: name.text, value })),
    learned: plan.learned.map(learnedOf),
    dt: plan.dt,
    ...(joins && { joins: { line: joins.line, column: joins.column } }),
    step: (inputs) => stepOf(plan, inputs),
  };
  checkStep(plan, neuron);
  expectBounded(neuron, (index) => plan.states[index]?.name);
  return neuron;
}

function learnedOf(learned: Plan['learned'][number]): LearnedParameter {
  const { name, value, per, range, spread } = learned;
  const optional = { ...(range && { range }), ...(spread !== undefined && { spread }) };
  return { name: name.text, initial: value, per, ...optional };
}

/** Sorts the statements, and checks what can be said without computing anything. */
function planOf(statements: readonly Statement[]): Plan {
  const all = <K extends Statement['kind']>(kind: K) =>
    statements.filter((one): one is Extract<Statement, { kind: K }> => one.kind === kind);
  const given = all('parameter');
  const states = all('state');
  const parameters = given.filter(({ name }) => name.text !== 'dt');
  const learned = all('learned');
  const equations = statements.filter((one) => 'tokens' in one);
  checkNames([...states, ...parameters, ...learned].map(({ name }) => name));
  expectCount('states', states.length);
  expectCount('parameters', parameters.length + learned.length);
  expectCount('equations', equations.length);
  if (states.length === 0) {
    throw equationError('there is no state: expected a line such as state u = 0', START);
  }
  const fixed = new Set([...parameters, ...learned].map(({ name }) => name.text));
  for (const { name } of equations) checkTarget(name, fixed);
  for (const { name } of states) checkWritten(name, equations);
  const zeros = new Set(parameters.filter(({ value }) => value === 0).map(({ name }) => name.text));
  for (const { tokens } of equations) checkDivisors(tokens, zeros);
  const methods = all('method');
  expectOne(
    methods.map(({ name }) => name),
    'method',
  );
  const steps = given.filter(({ name }) => name.text === 'dt');
  expectOne(
    steps.map(({ name }) => name),
    'dt',
  );
  return {
    states,
    parameters,
    learned,
    equations,
    spike: spikeOf(equations),
    method: methods[0]?.method ?? 'euler',
    dt: stepLength(steps[0]),
  };
}

function spikeOf(equations: Plan['equations']): Token {
  const spikes = equations.flatMap(({ tokens }) => tokens.filter(({ text }) => text === 'spike'));
  expectOne(spikes, 'spike');
  const [spike] = spikes;
  if (spike) return spike;
  throw equationError('there is no spike: expected a line such as s = spike(u - 1)', START);
}

/** Milliseconds, by `dt = 0.5`. */
function stepLength(given: { readonly name: Token; readonly value: number } | undefined): number {
  if (!given) return DEFAULT_DT;
  const { name, value } = given;
  if (value > 0) return value;
  throw equationError(`dt is ${value}: expected milliseconds above 0`, name);
}

function expectOne([, second]: readonly Token[], what: string): void {
  if (second) throw equationError(`a second ${what}: expected one in all`, second);
}

const START = { line: 1, column: 1 } as const;

function checkNames(names: readonly Token[]): void {
  const known = new Set<string>();
  for (const name of names) {
    checkFree(name);
    if (known.has(name.text)) {
      throw equationError(`${name.text} is declared again: expected another name`, name);
    }
    known.add(name.text);
  }
}

function checkTarget(name: Token, fixed: ReadonlySet<string>): void {
  checkFree(name);
  if (!fixed.has(name.text)) return;
  throw equationError(
    `${name.text} is a parameter: expected the name of a state or a new one`,
    name,
  );
}

function checkFree(name: Token): void {
  if (!RESERVED.has(name.text)) return;
  throw equationError(`${name.text} has a meaning already: expected another name`, name);
}

function checkWritten(name: Token, equations: Plan['equations']): void {
  const writes = (one: Plan['equations'][number]) =>
    (one.kind === 'rate' ? one.state : one.name.text) === name.text;
  if (equations.some(writes)) return;
  throw equationError(
    `the state ${name.text} never changes: expected a line ${name.text} = …`,
    name,
  );
}

function checkDivisors(tokens: readonly Token[], zeros: ReadonlySet<string>): void {
  const divisor = tokens.find(({ text }, at) => tokens[at - 1]?.text === '/' && zeros.has(text));
  if (divisor) throw equationError(`division by ${divisor.text}, which is zero`, divisor);
}

/** Checks the values of a step, and that whatever is given is used. */
function checkStep(plan: Plan, neuron: WrittenNeuron): void {
  const pool = new ExpressionPool();
  const current = pool.load('current', 'f32', []);
  const learned = neuron.learned.map(({ name }) => pool.load(`learned ${name}`, 'f32', []));
  const { next, spike } = neuron.step({
    pool,
    current,
    dt: pool.constant(neuron.dt),
    state: (index) => pool.state(String(index), 'f32'),
    parameter: (index) => pool.attribute(String(index), 'f32'),
    learned: (index) => learned[index] ?? current,
  });
  const all = new Set(closureOf([...next, spike]));
  expectCount('operations', all.size);
  if (!all.has(current)) throw equationError('nothing depends on the input I', START);
  for (const [index, { name }] of plan.learned.entries()) {
    const own = learned[index];
    if (own && all.has(own)) continue;
    throw equationError(`${name.text} is learned, but no equation uses it`, name);
  }
}

function expectCount(name: keyof typeof NEURON_LIMITS, count: number): void {
  if (count <= NEURON_LIMITS[name]) return;
  throw new EngineError(
    'invalid-equation',
    `the neuron has ${count} ${name}: expected at most ${NEURON_LIMITS[name]}`,
  );
}

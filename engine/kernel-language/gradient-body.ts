import type { Body, Layout, Sequence, StateVariable, Store } from './body.ts';
import { stateLayout, statePlace } from './carry-states.ts';
import { type Adjoints, carryBack, type Slope } from './derivative.ts';
import { sizeExpression } from './size-expression.ts';
import { closureOf, type Expression, type ExpressionPool, type Load } from './expression.ts';
import { chooseTrail, substitution } from './trail.ts';

/** The operands of a gradient, by those of the kernel that it is the gradient of. */
export interface GradientOperands {
  /** For each operand that was written, the one with its gradient. */
  readonly given: Readonly<Record<string, string>>;
  /** For each operand that was read, the one that its gradient is written to. */
  readonly wanted: Readonly<Record<string, string>>;
  /** Whether a gradient is added to what its operand holds. */
  readonly accumulates?: boolean;
  /**
   * `sqrt`: states are kept every sqrt(T) steps alone, and the steps between are run a second time. Takes
   * memory for 2 sqrt(T) steps instead of T; the same bits.
   */
  readonly checkpoints?: 'sqrt' | undefined;
  /** Written operands with states as each step began: the steps need not run again for these. */
  readonly stored?: readonly string[];
  /** Layouts of gradients that have another one than what they are the gradients of. */
  readonly layouts?: Readonly<Record<string, Layout>>;
  /**
   * The operand that holds the gradients of the last states, as those of `carryStates` lie, and is left with those
   * of the first. States that carry no gradient keep what it holds.
   */
  readonly carried?: string;
}

/** Of kernels without neurons. */
const NO_SPIKES: Slope = () => {
  throw new Error('a spike has no derivative without a surrogate');
};

/**
 * The gradient of a scan: runs the steps again, notes down what the way back needs of each, and carries
 * the gradients of states and outputs back. An operand without a step axis gets the sum over all steps.
 */
export function gradientOf(body: Body, operands: GradientOperands, slope = NO_SPIKES): Body {
  const { pool, layouts } = body;
  const forward = body.sequences[0];
  if (!forward) return gradientOfMap(body, operands, slope);
  const { adjoints, carried } = adjointsOf(body, forward, operands, slope);
  const back = readStored(
    body,
    collect(body, { ...forward, states: carried }, operands, adjoints),
    operands.stored ?? [],
  );
  const ends = endsOf(body, forward, operands.carried, carried);
  const trail = chooseTrail(pool, forward, back);
  const rename = substitution(pool, trail.replaced);
  const given = Object.entries(operands.given).map(([operand, name]) => [
    name,
    floats(layouts[operand]),
  ]);
  const wanted = Object.entries(operands.wanted).map(([operand, name]) => [
    name,
    floats(layouts[operand]),
  ]);
  return {
    pool,
    domain: body.domain,
    layouts: {
      ...layouts,
      ...Object.fromEntries([...given, ...wanted]),
      ...operands.layouts,
      ...ends.layouts,
    },
    sequences: [
      // Where the way back needs nothing of the steps, they are not run again.
      ...(trail.noted.length > 0 ? [{ ...forward, stores: [], trail: trail.noted }] : []),
      {
        ...forward,
        isBackward: true,
        trail: [],
        stores: back.stores.map((one) => ({ ...one, value: rename(one.value) })),
        states: back.states.map((one) => ({
          ...one,
          initial: ends.initials.get(one.name) ?? one.initial,
          next: rename(one.next),
        })),
      },
    ],
    stores: [...back.totals, ...ends.stores],
    isCheckpointed: operands.checkpoints === 'sqrt' && trail.noted.length > 0,
  };
}

/**
 * The gradients of a step, and the states that carry one: those that a later step, or an output, is computed
 * from by more than conditions.
 */
function adjointsOf({ pool }: Body, forward: Sequence, operands: GradientOperands, slope: Slope) {
  let carried = forward.states.filter(({ type }) => type === 'f32');
  for (;;) {
    const seeds: Adjoints = new Map();
    for (const { name, next } of carried) {
      addTo(seeds, pool, next, pool.state(gradientName(name), 'f32'));
    }
    for (const { operand, indices, value } of forward.stores) {
      const given = operands.given[operand];
      if (given !== undefined) addTo(seeds, pool, value, pool.load(given, 'f32', indices));
    }
    const adjoints = carryBack(pool, seeds, slope);
    const needed = carried.filter(({ name }) => adjoints.has(pool.state(name, 'f32')));
    if (needed.length === carried.length) return { adjoints, carried };
    carried = needed;
  }
}

/** How the way back of a part of a longer scan begins and ends. */
function endsOf(
  body: Body,
  forward: Sequence,
  operand: string | undefined,
  carried: readonly StateVariable[],
) {
  const { pool } = body;
  const initials = new Map<string, Expression>();
  const stores: Store[] = [];
  if (operand === undefined) return { initials, stores, layouts: {} };
  for (const [index, state] of forward.states.entries()) {
    if (!carried.includes(state)) continue;
    const indices = statePlace(body, forward, index);
    const name = gradientName(state.name);
    initials.set(name, pool.load(operand, 'f32', indices));
    stores.push({ operand, indices, value: pool.state(name, 'f32') });
  }
  return { initials, stores, layouts: { [operand]: stateLayout(body, forward) } };
}

function addTo(
  adjoints: Adjoints,
  pool: ExpressionPool,
  value: Expression,
  gradient: Expression,
): void {
  const before = adjoints.get(value);
  adjoints.set(value, before ? pool.apply('add', before, gradient) : gradient);
}

/** The gradient of a kernel without steps: `accumulate` adds it to what its operand holds. */
function gradientOfMap(body: Body, operands: GradientOperands, slope: Slope): Body {
  const { pool, layouts } = body;
  const seeds: Adjoints = new Map();
  for (const { operand, indices, value } of body.stores) {
    const given = operands.given[operand];
    if (given !== undefined) addTo(seeds, pool, value, pool.load(given, 'f32', indices));
  }
  const adjoints = carryBack(pool, seeds, slope);
  const stores = Object.entries(operands.wanted).flatMap(([operand, target]): Store[] => {
    const { load, gradient } = loadOf(operand, adjoints, pool.constant(0));
    if (!load) return [];
    const before = pool.load(target, 'f32', load.indices);
    const value = operands.accumulates === true ? pool.apply('add', gradient, before) : gradient;
    return [{ operand: target, indices: load.indices, value }];
  });
  const named = { ...operands.given, ...operands.wanted };
  const own = Object.entries(named).map(([operand, name]) => [name, floats(layouts[operand])]);
  return {
    ...body,
    layouts: { ...layouts, ...Object.fromEntries(own), ...operands.layouts },
    stores,
  };
}

interface Back {
  readonly states: readonly StateVariable[];
  readonly stores: readonly Store[];
  readonly totals: readonly Store[];
}

/** The states that a step on the way back changes, and what it stores. */
function collect(
  body: Body,
  forward: Sequence,
  operands: GradientOperands,
  adjoints: Adjoints,
): Back {
  const { pool } = body;
  const zero = pool.constant(0);
  const states: StateVariable[] = forward.states.map(({ name }) => ({
    name: gradientName(name),
    type: 'f32',
    initial: zero,
    next: adjoints.get(pool.state(name, 'f32')) ?? zero,
  }));
  const stores: Store[] = [];
  const totals: Store[] = [];
  for (const [operand, target] of Object.entries(operands.wanted)) {
    const { load, gradient: own } = loadOf(operand, adjoints, zero);
    if (!load) continue;
    const { indices } = load;
    const gradient = operands.layouts?.[target] ? own : sharedGradient(body, load, own);
    const isHeld = indices.some(({ kind }) => kind === 'apply');
    if (isHeld) stores.push(heldStore(body, forward, { target, load, gradient }));
    else if (isAlong(load, forward.coordinate))
      stores.push({ operand: target, indices, value: gradient });
    else {
      const name = `sum of ${operand}`;
      const total = pool.state(name, 'f32');
      states.push({ name, type: 'f32', initial: zero, next: pool.apply('add', total, gradient) });
      const places = totalIndices(body, forward, load, operands.layouts?.[target]);
      totals.push({ operand: target, indices: places, value: total });
    }
  }
  return { states, stores, totals };
}

/** The way back, with states read from the operands that hold them. */
function readStored({ pool, sequences }: Body, back: Back, stored: readonly string[]): Back {
  const stores = sequences.flatMap((one) => one.stores);
  const held = stores.filter(
    ({ operand, value }) => stored.includes(operand) && value.kind === 'state',
  );
  if (held.length === 0) return back;
  const rename = substitution(
    pool,
    new Map(
      held.map(({ operand, indices, value }) => [value, pool.load(operand, value.type, indices)]),
    ),
  );
  return {
    ...back,
    stores: back.stores.map((one) => ({ ...one, value: rename(one.value) })),
    states: back.states.map((one) => ({ ...one, next: rename(one.next) })),
  };
}

/** The gradient of a number that all places of a row share, where means let these see each other: their sum. */
function sharedGradient(
  { pool, domain, sequences }: Body,
  load: Load,
  own: Expression,
): Expression {
  const last = domain.at(-1);
  const steps = sequences.flatMap(({ states, stores }) => [
    ...states.map(({ next }) => next),
    ...stores.map(({ value }) => value),
  ]);
  const hasMeans = closureOf(steps).some(({ kind }) => kind === 'mean');
  if (!last || !hasMeans || isAlong(load, last.coordinate)) return own;
  const places = pool.convert(sizeExpression(pool, last.size), 'f32');
  return pool.apply('mul', pool.groupMean(own), places);
}

function loadOf(operand: string, adjoints: Adjoints, zero: Expression) {
  const found = [...adjoints].find(([node]) => node.kind === 'load' && node.operand === operand);
  return { load: found?.[0] as Load | undefined, gradient: found?.[1] ?? zero };
}

/** The gradient of an operand that may be held: onto that of the step behind it, where both are one place. */
function heldStore(
  { pool }: Body,
  { coordinate, to }: Sequence,
  { target, load, gradient }: { target: string; load: Load; gradient: Expression },
): Store {
  const one = pool.constant(1, 'i32');
  const step = pool.coordinate(coordinate);
  const held = load.indices.find(({ kind }) => kind === 'apply') as Expression;
  const next = pool.apply('add', step, one);
  // min(step, size - 1) differs from the step where the operand is held.
  const isHeld = pool.apply('lt', heldSize(held), to);
  const isLater = pool.apply('lt', next, to);
  const before = pool.load(target, 'f32', load.indices);
  const adds = pool.apply('and', isHeld, isLater);
  const rest = pool.apply('select', adds, before, pool.constant(0));
  return { operand: target, indices: load.indices, value: pool.apply('add', gradient, rest) };
}

/** The attribute of `min(step, size - 1)`. */
function heldSize(index: Expression): Expression {
  return closureOf([index]).find(({ kind }) => kind === 'attribute') ?? index;
}

/** A sum over the steps has a place for each place of the domain that its operand has an axis of, or for all. */
function totalIndices(
  { pool, domain, layouts }: Body,
  { coordinate: steps }: Sequence,
  load: Load,
  own: Layout | undefined,
): readonly Expression[] {
  if (!own || own.axes.length === layouts[load.operand]?.axes.length) return load.indices;
  return domain
    .filter(({ coordinate }) => coordinate !== steps)
    .map(({ coordinate }) => pool.coordinate(coordinate));
}

function isAlong(load: Load, coordinate: string): boolean {
  return closureOf(load.indices).some(
    (node) => node.kind === 'coordinate' && node.name === coordinate,
  );
}

function gradientName(state: string): string {
  return `gradient of ${state}`;
}

function floats(layout: Layout | undefined): Layout {
  return { element: 'f32', axes: layout?.axes ?? [] };
}

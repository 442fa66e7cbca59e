import type { Roles, Schema } from '../graph/kernel.ts';
import type { Body, ElementType, Layout, Sequence, Store } from './body.ts';
import { ExpressionPool } from './expression.ts';
import { StatementReader } from './statements.ts';
import { readLines } from './tokens.ts';

/** Values of the attributes that choose between kernels, and which optional operands are present. */
export type Choices = Readonly<Record<string, string | boolean>>;

/** A kernel as it is written down. */
export interface Definition {
  /** Coordinates with the attributes that say how far they go, the outermost first: `row: 'rows'`. */
  readonly over: Readonly<Record<string, string>>;
  /**
   * Type and axes of each operand: `f32[steps, rows, width]`; axes are numbers or attributes, the outermost `_`
   * where its length is unknown.
   */
  readonly shapes: Readonly<Record<string, string>>;
  /** Attributes that are 1 or as long as the axis of a coordinate, where an operand may be held: `currentSteps: 'step'`. */
  readonly held?: Readonly<Record<string, string>>;
  /** The coordinate whose steps are taken one after the other, with the states between them. */
  readonly scan?: string;
  /** Bounds of the scan other than all of its axis. */
  readonly from?: string;
  readonly to?: string;
  /** From the last step to the first. */
  readonly isBackward?: boolean;
  /** Where the sums of a row end: places along the last axis. */
  readonly until?: string;
  /** Lines of `state name = value`, `name = value`, `operand = value`; what follows `after` is done after the scan. */
  readonly equations: string;
}

/** Operands and attributes of the kernel's row. */
export interface Row {
  readonly operands: Roles;
  readonly attributes: Schema;
}

const SHAPE = /^(f32|i32|u32|bits)\[([^\]]*)\]$/;

/** @throws EngineError `invalid-equation` with line and column */
export function parseBody(row: Row, definition: Definition, choices: Choices): Body {
  const { over, held = {}, shapes, scan } = definition;
  const pool = new ExpressionPool();
  const domain = Object.entries(over).map(([coordinate, size]) => ({ coordinate, size }));
  const layouts = Object.fromEntries(
    Object.entries(shapes).map(([name, text]) => [name, parseLayout(text)]),
  );
  const types = attributesOf(row, choices);
  const accumulates = choices['accumulate'] === true;
  const roles = row.operands;
  const isScan = scan !== undefined;
  const site = { pool, domain, layouts, held, types, roles, accumulates, isScan };
  const reader = new StatementReader(site);
  const ofStep: Store[] = [];
  const stores: Store[] = [];
  for (const tokens of readLines(definition.equations)) {
    if (tokens[0]?.text === 'after' && tokens[1]?.kind === 'end') reader.endStep();
    else reader.read(tokens, reader.isInStep ? ofStep : stores);
  }
  const sequences = scan === undefined ? [] : [sequenceOf(definition, scan, reader, ofStep)];
  const until = definition.until === undefined ? {} : { until: reader.evaluate(definition.until) };
  return { pool, domain, layouts, sequences, stores, ...until };
}

function sequenceOf(
  { from = '0', to, over, isBackward = false }: Definition,
  scan: string,
  reader: StatementReader,
  stores: readonly Store[],
): Sequence {
  return {
    coordinate: scan,
    from: reader.evaluate(from),
    to: reader.evaluate(to ?? over[scan] ?? scan),
    isBackward,
    states: reader.states(),
    stores,
    trail: [],
  };
}

function parseLayout(text: string): Layout {
  const found = SHAPE.exec(text);
  if (!found) throw new Error(`${text}: expected such as f32[rows, width]`);
  const axes = (found[2] ?? '').split(',').map((axis) => axis.trim());
  return {
    // The pattern admits no others.
    element: found[1] as ElementType,
    axes: axes.map((axis) => (axis === '_' ? 1 : /^\d+$/.test(axis) ? Number(axis) : axis)),
  };
}

/** The attributes that are numbers, those of the chosen group among them, in the order in which kernels take them. */
export function attributesOf(row: Row, choices: Choices): ReadonlyMap<string, 'int' | 'float'> {
  const numbers = new Map<string, 'int' | 'float'>();
  const add = (schema: Schema): void => {
    for (const [name, type] of Object.entries(schema)) {
      if (type === 'int' || type === 'float') numbers.set(name, type);
      else if (typeof type === 'object' && 'oneOf' in type)
        add(type.oneOf[String(choices[name])] ?? {});
    }
  };
  add(row.attributes);
  return numbers;
}

import type { Body, Store } from '../../kernel-language/body.ts';
import type { Expression } from '../../kernel-language/expression.ts';
import { type Analysis, LEVEL } from '../../kernel-language/levels.ts';

/** The printer of the shader, as far as a choice needs it. */
interface Printer {
  readonly body: Body;
  readonly analysis: Analysis;
  name(node: Expression): string;
  lines(wanted: readonly Expression[]): string[];
  scoped(print: () => string[]): string[];
  stores(wanted: readonly Store[]): string[];
}

/** Whether the whole row shares what decides between two values. */
export function isChoice({ analysis }: Printer, value: Expression): boolean {
  if (value.kind !== 'apply' || value.operator !== 'select' || value.type === 'bool') return false;
  return value.args.slice(0, 1).every((one) => analysis.levelOf(one) < LEVEL.vector);
}

/** Computes the side that is chosen alone, and stores nothing that is there already. */
export function printChoice(
  printer: Printer,
  store: Store,
  [condition, ...sides]: readonly Expression[],
): string[] {
  const head = printer.lines([...(condition ? [condition] : []), ...store.indices]);
  const isKept = (side: Expression) =>
    side === printer.body.pool.load(store.operand, side.type, store.indices);
  const [whenTrue = [], whenFalse = []] = sides.map((side) =>
    isKept(side) ? [] : printer.scoped(() => printer.stores([{ ...store, value: side }])),
  );
  return [
    ...head,
    `if (${condition ? printer.name(condition) : 'true'}) {`,
    ...whenTrue,
    '}',
    ...(whenFalse.length > 0 ? ['else {', ...whenFalse, '}'] : []),
  ];
}

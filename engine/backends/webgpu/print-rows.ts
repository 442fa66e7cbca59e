import type { Store } from '../../kernel-language/body.ts';
import { closureOf, type Expression, type Reduction } from '../../kernel-language/expression.ts';
import { LEVEL } from '../../kernel-language/levels.ts';
import { type Printer } from './printer.ts';
import { type Printed, type Target, WORKGROUP } from './target.ts';

/** Places of a lone row that are more than one invocation should add up. */
const LONG_ROW = 512;
/** Invocations that processors compute side by side. */
const SIDE_BY_SIDE = 4;

/** The lanes of a row add up what each has found, pass by pass, and store what lies along it. */
export function printRows(printer: Printer, target: Target): Printed {
  const { body, analysis } = printer;
  const axes = body.domain.slice(0, -1);
  const rows = axes.reduce((product, { size }) => product * printer.size(size), 1);
  const { kind, lanes } = sharersOf(printer, target, rows);
  const isSingle = kind === 'single';
  const isAlong = (store: Store) => analysis.isAlong(store);
  const stride = isSingle ? 1 : lanes;
  const workgroup = isSingle ? (rows === 1 ? 1 : WORKGROUP) : lanes;
  const code = [
    ...(kind === 'subgroups' ? ['enable subgroups;'] : []),
    ...printer.head(),
    ...sharing(kind, lanes),
    `@compute @workgroup_size(${workgroup})`,
    `fn ${target.name}(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {`,
    isSingle
      ? `let element = (group.y * groups.x + group.x) * ${workgroup}u + local;`
      : 'let element = group.y * groups.x + group.x;',
    `if (element >= ${rows}u) { return; }`,
    `let lane = ${isSingle ? '0u' : 'local'};`,
    ...printer.places('element', axes),
    ...printer.linesOfRow(),
    ...passes(printer, stride),
    ...printer.lines(
      shared(
        printer,
        body.stores.flatMap(({ value, indices }) => [value, ...indices]),
      ),
    ),
    ...along(
      printer,
      stride,
      printer.scoped(() => printer.stores(body.stores.filter(isAlong))),
    ),
    'if (lane == 0u) {',
    ...printer.scoped(() => printer.stores(body.stores.filter((store) => !isAlong(store)))),
    '}',
    '}',
  ].join('\n');
  return { code, workgroups: isSingle ? Math.ceil(rows / workgroup) : rows };
}

/** Who shares a row: where it is a long one, and the only one, more than one invocation does. */
function sharersOf(printer: Printer, { row }: Target, rows: number): Target['row'] {
  const width = printer.size(printer.body.domain.at(-1)?.size ?? '');
  const isLong = rows === 1 && width > LONG_ROW && row.kind === 'single';
  return isLong ? { kind: 'tree', lanes: SIDE_BY_SIDE } : row;
}

/** Values that all places of the row share: computed outside of the loop. */
function shared({ analysis }: Printer, wanted: readonly Expression[]): readonly Expression[] {
  return closureOf(wanted, ({ kind }) => kind === 'reduction').filter(
    (node) => analysis.levelOf(node) < LEVEL.vector,
  );
}

/** Lines for each place of the row that the lane takes. */
function along(
  printer: Printer,
  stride: number,
  lines: readonly string[],
  until?: Expression,
): string[] {
  const inner = printer.body.domain.at(-1);
  const end = until ? `u32(${printer.name(until)})` : `${printer.size(inner?.size ?? '')}u`;
  return [
    `for (var c = lane; c < ${end}; c += ${stride}u) {`,
    `let ${printer.coordinate(inner?.coordinate ?? '')} = i32(c);`,
    ...lines,
    '}',
  ];
}

/** Passes over the row: in each the sums that need those of the passes before alone. */
function passes(printer: Printer, stride: number): string[] {
  const { analysis } = printer;
  const { until } = printer.body;
  const reductions = analysis.all.filter((node): node is Reduction => node.kind === 'reduction');
  const count = Math.max(...reductions.map((node) => analysis.sumsBefore(node)));
  return Array.from({ length: count }, (_, index) => {
    const own = reductions.filter((node) => analysis.sumsBefore(node) === index + 1);
    const values = own.map(({ value }) => value);
    return [
      ...own.map(
        (node) => `var ${totalOf(node)} = ${node.operator === 'sum' ? '0.0' : '-3.4e38'};`,
      ),
      ...printer.lines(shared(printer, until ? [...values, until] : values)),
      ...along(
        printer,
        stride,
        printer.scoped(() => [
          ...printer.lines(values),
          ...own.map((node) => added(printer, node)),
        ]),
        until,
      ),
      ...own.map(
        (node) => `let ${printer.declare(node)} = row_${node.operator}(${totalOf(node)}, lane);`,
      ),
    ];
  }).flat();
}

function totalOf({ id }: Reduction): string {
  return `total${id}`;
}

function added(printer: Printer, node: Reduction): string {
  const total = totalOf(node);
  const value = printer.name(node.value);
  return node.operator === 'sum' ? `${total} += ${value};` : `${total} = max(${total}, ${value});`;
}

/** Sums and maxima over the invocations that share a row. */
function sharing(kind: Target['row']['kind'], lanes: number): string[] {
  const parts = [
    ['sum', 'subgroupAdd', (a: string, b: string) => `${a} + ${b}`],
    ['max', 'subgroupMax', (a: string, b: string) => `max(${a}, ${b})`],
  ] as const;
  const tree = kind === 'tree' ? [`var<workgroup> tree: array<f32, ${lanes}>;`] : [];
  return [
    ...tree,
    ...parts.flatMap(([name, subgroup, join]) => [
      `fn row_${name}(value: f32, lane: u32) -> f32 {`,
      ...(kind === 'single' ? ['return value;'] : []),
      ...(kind === 'subgroups' ? [`return ${subgroup}(value);`] : []),
      ...(kind === 'tree'
        ? [
            'tree[lane] = value;',
            `for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {`,
            'workgroupBarrier();',
            `if (lane < half) { tree[lane] = ${join('tree[lane]', 'tree[lane + half]')}; }`,
            '}',
            'workgroupBarrier();',
            'let total = tree[0];',
            'workgroupBarrier();',
            'return total;',
          ]
        : []),
      '}',
    ]),
  ];
}

import { type Axis, type Body, sizeOf } from '../../kernel-language/body.ts';
import { flatten } from '../../kernel-language/flatten.ts';
import { analyse } from '../../kernel-language/levels.ts';
import { printGroups } from './print-groups.ts';
import { printPacked } from './print-packed.ts';
import { printRows } from './print-rows.ts';
import { printScan } from './print-scan.ts';
import { Printer } from './printer.ts';
import { type Printed, storesOf, type Target, walkedAxes, WORKGROUP } from './target.ts';
import { librariesOf } from './wgsl-text.ts';
import { canBeWide, WIDTH } from './wide.ts';

interface Generated extends Printed {
  /** Files under shaders/ whose functions it calls. */
  readonly libraries: readonly string[];
}

/** The body as a shader of its own: sizes and attributes are constants of its text. */
export function generate(given: Body, target: Target): Generated {
  const body = flatten(given);
  const { all } = analyse(body);
  const hasSums = all.some(({ kind }) => kind === 'reduction');
  const hasMeans = all.some(({ kind }) => kind === 'mean');
  const printer = new Printer(body, target, hasSums || hasMeans ? 1 : lanesOf(body, target));
  const print = hasMeans
    ? printGroups
    : hasSums
      ? printRows
      : hasBits(body)
        ? printPacked
        : printElements;
  return { ...print(printer, target), libraries: librariesOf(printer.analysis.all) };
}

/** Vectors where the operands allow them; through steps on processors alone, as a GPU has more to do at a time. */
function lanesOf(body: Body, { packing, attribute }: Target): 1 | typeof WIDTH {
  const isApt = body.sequences.length === 0 || packing === 'word';
  const sizes = (axis: number | string) =>
    typeof axis === 'number' ? axis : sizeOf(axis, attribute);
  return isApt && canBeWide(analyse(body), sizes) ? WIDTH : 1;
}

/** An invocation for each place of the domain but the steps, or for each vector of four. */
function printElements(printer: Printer, target: Target): Printed {
  const { body } = printer;
  const axes = walkedAxes(body);
  const places = axes.reduce((product, { size }) => product * printer.size(size), 1);
  const [only] = axes;
  if (only && axes.length === 1 && printer.hasDraws) {
    return printQuads(printer, target, { only, count: places });
  }
  const count = places / printer.lanes;
  const code = [
    ...printer.head(),
    `@compute @workgroup_size(${WORKGROUP})`,
    `fn ${target.name}(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {`,
    `let element = id.y * groups.x * ${WORKGROUP}u + id.x;`,
    `if (element >= ${count}u) { return; }`,
    ...printer.places('element', axes),
    ...printScan(printer, (stores) => printer.stores(stores)),
    ...printer.finish(body.stores),
    '}',
  ].join('\n');
  return { code, workgroups: Math.ceil(count / WORKGROUP) };
}

function hasBits(body: Body): boolean {
  return storesOf(body).some(({ operand }) => body.layouts[operand]?.element === 'bits');
}

/** One invocation for four places, which share draws of four random words. */
function printQuads(printer: Printer, target: Target, { only, count }: Line): Printed {
  const at = printer.coordinate(only.coordinate);
  const code = [
    ...printer.head(),
    `@compute @workgroup_size(${WORKGROUP})`,
    `fn ${target.name}(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {`,
    `let first = 4u * (id.y * groups.x * ${WORKGROUP}u + id.x);`,
    `if (first >= ${count}u) { return; }`,
    ...printer.declareDraws(),
    `{ let ${at} = i32(first);`,
    ...printer.drawFour(),
    '}',
    `for (var place = 0u; place < min(4u, ${count}u - first); place++) {`,
    `let ${at} = i32(first + place);`,
    ...printScan(printer, (stores) => printer.stores(stores)),
    ...printer.finish(printer.body.stores),
    '}',
    '}',
  ].join('\n');
  return { code, workgroups: Math.ceil(count / (4 * WORKGROUP)) };
}

interface Line {
  readonly only: Axis;
  readonly count: number;
}

import type { Axis, Body } from '../../kernel-language/body.ts';
import { printPacked } from './print-packed.ts';
import { printRows } from './print-rows.ts';
import { Printer } from './printer.ts';
import { type Printed, storesOf, type Target, walkedAxes, WORKGROUP } from './target.ts';

/** The body as a shader of its own: sizes and attributes are constants of its text. */
export function generate(body: Body, target: Target): Printed {
  const printer = new Printer(body, target);
  const { analysis } = printer;
  const hasSums = analysis.all.some(({ kind }) => kind === 'reduction');
  const print = hasSums ? printRows : hasBits(body) ? printPacked : printElements;
  return print(printer, target);
}

/** Places that an invocation of a processor takes, one after the other: to start one takes as long as a few. */
const PLACES = 4;

/** An invocation for each place of the domain but the steps, or for a few of them. */
function printElements(printer: Printer, target: Target): Printed {
  const { body } = printer;
  const axes = walkedAxes(body);
  const count = axes.reduce((product, { size }) => product * printer.size(size), 1);
  const [only] = axes;
  if (only && axes.length === 1 && printer.hasDraws) {
    return printQuads(printer, target, { only, count });
  }
  const isShort = target.packing === 'word' && body.sequences.length === 0;
  const places = isShort && count >= PLACES * WORKGROUP ? PLACES : 1;
  const number = `(id.y * groups.x * ${WORKGROUP}u + id.x)`;
  const inside = [
    ...printer.places('element', axes),
    ...printer.scan((stores) => printer.stores(stores)),
    ...printer.finish(body.stores),
  ];
  const walk =
    places === 1
      ? [`let element = ${number};`, `if (element >= ${count}u) { return; }`, ...inside]
      : [
          `let first = ${number} * ${places}u;`,
          `for (var element = first; element < min(first + ${places}u, ${count}u); element++) {`,
          ...inside,
          '}',
        ];
  const code = [
    ...printer.head(),
    `@compute @workgroup_size(${WORKGROUP})`,
    `fn ${target.name}(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {`,
    ...walk,
    '}',
  ].join('\n');
  return { code, workgroups: Math.ceil(count / (places * WORKGROUP)) };
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
    ...printer.scan((stores) => printer.stores(stores)),
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

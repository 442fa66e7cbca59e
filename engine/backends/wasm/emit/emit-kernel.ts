import type { Roles } from '../../../graph/kernel.ts';
import type { Variant } from '../../../kernel-language/written-kernel.ts';
import type { Analysis } from '../../../kernel-language/levels.ts';
import type { ArgumentPlaces } from './addresses.ts';
import { emitBlocks } from './blocks.ts';
import { FunctionCode } from './function-code.ts';
import { emitGroups } from './groups.ts';
import { emitLanes } from './lanes.ts';
import type { Plan } from './plan.ts';
import { emitFlat, emitRows } from './rows.ts';
import { ValueEmitter } from './values.ts';

/** The kernel as a function `(args, first, last, scratch)`. */
export function emitKernel(
  { analysis, nest }: Plan,
  taken: Arguments,
  isRelaxed: boolean,
): FunctionCode {
  const code = new FunctionCode();
  const places = placesOf(taken, analysis);
  const values = new ValueEmitter({ code, analysis, places, isRelaxed });
  const operands = new Set([
    ...analysis.all.flatMap((node) => (node.kind === 'load' ? [node.operand] : [])),
    ...[...analysis.body.stores, ...analysis.body.sequences.flatMap((one) => one.stores)].map(
      ({ operand }) => operand,
    ),
  ]);
  values.addresses.loadArguments(operands);
  if (nest === 'flat') emitFlat(values);
  else if (nest === 'rows') emitRows(values);
  else if (nest === 'lanes') emitLanes(values);
  else if (nest === 'blocks') emitBlocks(values, places.segment);
  else emitGroups(values, places.segment);
  return code;
}

/** The arguments of a kernel: its operands, then its attributes, and then what these settle. */
interface Arguments {
  readonly operands: Roles;
  readonly attributes: Variant['attributes'];
}

function placesOf({ operands, attributes }: Arguments, { settled }: Analysis): ArgumentPlaces {
  const names = Object.keys(operands);
  const first = names.length + attributes.size;
  return {
    operands: new Map(names.map((name, place) => [name, place])),
    attributes: new Map(
      Array.from(attributes, ([name, type], index) => [
        name,
        { place: names.length + index, isFloat: type === 'float' },
      ]),
    ),
    settled: new Map(settled.map((node, index) => [node, first + index])),
    segment: first + settled.length,
  };
}

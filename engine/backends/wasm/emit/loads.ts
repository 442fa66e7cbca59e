import type { Load } from '../../../kernel-language/expression.ts';
import { pushScattered } from './scattered.ts';
import type { Emitter } from './emitter.ts';

type Four = readonly [number, number, number, number];

/** The bits of a byte that four lanes have, by its half. */
const LOWER: Four = [1, 2, 4, 8];
const UPPER: Four = [16, 32, 64, 128];

/** Pushes an element that all lanes share, or those of four places. */
export function emitLoad(values: Emitter, node: Load): void {
  const { code, analysis, addresses } = values;
  const isBits = addresses.layout(node.operand).element === 'bits';
  if (analysis.isScattered(node)) pushScattered(values, node);
  else if (!analysis.isAlong(node)) {
    addresses.pushElement(node);
    code.access(node.type === 'f32' ? 'v128.load32_splat' : 'i32.load');
  } else if (isBits && addresses.position.isAligned === true) {
    const bits = addresses.position.immediate % 32 === 0 ? LOWER : UPPER;
    code.access('v128.load8_splat', addresses.pushByte(node));
    code.wholes(...bits);
    code.op('v128.and');
    code.wholes(...bits);
    code.op('i32x4.eq');
  } else if (isBits) {
    addresses.pushWord(node);
    code.access('i32.load');
    addresses.pushPlace();
    code.op('i32.shr_u');
    code.op('i32x4.splat');
    code.wholes(1, 2, 4, 8);
    code.op('v128.and');
    code.wholes(1, 2, 4, 8);
    code.op('i32x4.eq');
  } else code.access('v128.load', addresses.pushVector(node));
}

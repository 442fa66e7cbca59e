import type { Layout } from '../../../kernel-language/body.ts';
import { known } from './access-keys.ts';
import { pushWords } from './arithmetic.ts';
import type { FunctionCode, Local } from './function-code.ts';

/** Sizes of axes, and how far apart the neighbours along them lie. */
export class Strides {
  readonly #code: FunctionCode;
  readonly #sizes = new Map<string, Local>();
  readonly #strides = new Map<string, Local>();

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  /** Says which local has an attribute. */
  setSize(attribute: string, local: Local): void {
    this.#sizes.set(attribute, local);
  }

  /** Pushes the number of elements along an axis, a product where the axis is several joined. */
  pushSize(axis: number | string): void {
    const code = this.#code;
    if (typeof axis === 'number') {
      code.whole(axis);
      return;
    }
    const [first = '', ...others] = axis.split(/ ([*/]) /);
    const push = (text: string) => {
      if (/^\d+$/.test(text)) code.whole(Number(text));
      else this.pushWhole(text);
    };
    push(first);
    for (let i = 0; i < others.length; i += 2) {
      const divisor = others[i + 1] ?? '1';
      if (others[i] === '*') {
        push(divisor);
        code.op('i32.mul');
        continue;
      }
      // Rounded up.
      push(divisor);
      code.op('i32.add');
      code.whole(1);
      code.op('i32.sub');
      push(divisor);
      code.op('i32.div_u');
    }
  }

  pushWhole(attribute: string): void {
    this.#code.get(known(this.#sizes, attribute));
  }

  /** Bytes between neighbours along each axis, where they are not 4. */
  compute(operand: string, { axes, element }: Layout): void {
    const code = this.#code;
    let behind: Local | undefined;
    for (let axis = axes.length - 1; axis > 0; axis--) {
      this.pushSize(axes[axis] ?? 1);
      if (behind === undefined) {
        if (element === 'bits') pushWords(code);
        code.whole(2);
        code.op('i32.shl');
      } else {
        code.get(behind);
        code.op('i32.mul');
      }
      behind = code.keep('i32');
      this.#strides.set(`${operand} ${axis - 1}`, behind);
    }
  }

  /** Makes bytes of four indices along an axis. */
  scaleVector(operand: string, axis: number): void {
    const code = this.#code;
    const stride = this.#strides.get(`${operand} ${axis}`);
    if (stride === undefined) {
      code.whole(2);
      code.op('i32x4.shl');
      return;
    }
    code.get(stride);
    code.op('i32x4.splat');
    code.op('i32x4.mul');
  }

  /** Makes bytes of an index along an axis. */
  scale(operand: string, axis: number): void {
    const code = this.#code;
    if (this.#strides.has(`${operand} ${axis}`)) {
      this.push(operand, axis);
      code.op('i32.mul');
    } else {
      code.whole(2);
      code.op('i32.shl');
    }
  }

  /** Pushes the bytes between neighbours along an axis. */
  push(operand: string, axis: number): void {
    const code = this.#code;
    const stride = this.#strides.get(`${operand} ${axis}`);
    if (stride === undefined) code.whole(4);
    else code.get(stride);
  }
}

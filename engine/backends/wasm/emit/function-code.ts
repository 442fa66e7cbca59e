import {
  ACCESSES,
  type Instruction,
  MEMORY,
  MEMORY_PREFIX,
  type MemoryAccess,
  PLAIN,
  PREFIX,
  VECTOR,
} from './instructions.ts';
import { signed, unsigned } from './module.ts';

const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY = 0x40;

type LocalType = 'i32' | 'v128';
export type Local = number;

/** The parameters of every kernel. */
export const PARAMETERS = { args: 0, first: 1, last: 2, scratch: 3 } as const;
const PARAMETER_COUNT = 4;

/** Writes the body of one function. */
export class FunctionCode {
  readonly #code: number[] = [];
  readonly #locals: LocalType[] = [];
  readonly #free: Record<LocalType, Local[]> = { i32: [], v128: [] };
  /** Locals taken in the scopes that are open, the innermost last. */
  readonly #taken: [type: LocalType, local: Local][][] = [[]];

  /** A local of the innermost scope: it is another one's when that ends. */
  local(type: LocalType): Local {
    let local = this.#free[type].pop();
    if (local === undefined) {
      this.#locals.push(type);
      local = PARAMETER_COUNT - 1 + this.#locals.length;
    }
    this.#taken.at(-1)?.push([type, local]);
    return local;
  }

  /** Writes code whose locals mean nothing behind it. */
  scope(write: () => void): void {
    this.#taken.push([]);
    write();
    for (const [type, local] of this.#taken.pop()?.toReversed() ?? []) this.#free[type].push(local);
  }

  get(local: Local): void {
    this.#code.push(0x20, ...unsigned(local));
  }

  set(local: Local): void {
    this.#code.push(0x21, ...unsigned(local));
  }

  tee(local: Local): void {
    this.#code.push(0x22, ...unsigned(local));
  }

  /** Puts what is on the stack into a new local. */
  keep(type: LocalType): Local {
    const local = this.local(type);
    this.set(local);
    return local;
  }

  op(instruction: Instruction): void {
    if (instruction in PLAIN) this.#code.push(PLAIN[instruction as keyof typeof PLAIN]);
    else if (instruction in MEMORY) {
      this.#code.push(MEMORY_PREFIX, ...MEMORY[instruction as keyof typeof MEMORY]);
    } else this.#code.push(PREFIX, ...unsigned(VECTOR[instruction as keyof typeof VECTOR]));
  }

  whole(value: number): void {
    // Those beyond 2^31 are unsigned.
    this.#code.push(0x41, ...signed(value | 0));
  }

  /** The same float in four lanes. */
  floats(value: number): void {
    this.#constant(Float32Array.of(value, value, value, value));
  }

  /** Four whole numbers. */
  wholes(...values: readonly [number, number, number, number]): void {
    this.#constant(Int32Array.from(values));
  }

  #constant(lanes: Float32Array | Int32Array): void {
    this.#code.push(PREFIX, 0x0c, ...new Uint8Array(lanes.buffer));
  }

  access(name: MemoryAccess, offset = 0): void {
    const { prefix, code, alignment } = ACCESSES[name];
    this.#code.push(...prefix, code, alignment, ...unsigned(offset));
  }

  /** Lane of a vector as a float (`f32`) or whole number (`i32`). */
  lane(type: 'f32' | 'i32', lane: number): void {
    this.#code.push(PREFIX, type === 'f32' ? 0x1f : 0x1b, lane);
  }

  /** Replaces a lane by what lies in memory: address and vector lie on the stack. */
  loadLane(lane: number): void {
    this.#code.push(PREFIX, 0x56, 2, 0, lane);
  }

  /** Replaces a lane by a whole number: vector and number lie on the stack. */
  replaceLane(lane: number): void {
    this.#code.push(PREFIX, 0x1c, lane);
  }

  /** Stores a lane of a vector: address and vector lie on the stack. */
  storeLane(lane: number, offset: number): void {
    this.#code.push(PREFIX, 0x5a, 2, ...unsigned(offset), lane);
  }

  /** The lanes of two vectors in another order, by bytes of four. */
  shuffle(...lanes: readonly [number, number, number, number]): void {
    const bytes = lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte));
    this.#code.push(PREFIX, 0x0d, ...bytes);
  }

  /** Runs `whenTrue` where the number on the stack is not zero. */
  branch(whenTrue: () => void, whenFalse?: () => void, result?: LocalType): void {
    this.#code.push(0x04, result === undefined ? EMPTY : typeCode(result));
    this.scope(whenTrue);
    if (whenFalse) {
      this.op('else');
      this.scope(whenFalse);
    }
    this.op('end');
  }

  /** Repeats `body` while `condition` puts something other than zero on the stack. */
  loop(condition: () => void, body: () => void): void {
    this.#code.push(0x02, EMPTY, 0x03, EMPTY);
    condition();
    this.op('i32.eqz');
    this.#code.push(0x0d, 1);
    this.scope(body);
    this.#code.push(0x0c, 0);
    this.op('end');
    this.op('end');
  }

  encode(): number[] {
    const groups: number[][] = [];
    for (let first = 0; first < this.#locals.length;) {
      const type = this.#locals[first];
      let end = first;
      while (this.#locals[end] === type) end++;
      groups.push([...unsigned(end - first), typeCode(type ?? 'i32')]);
      first = end;
    }
    return [...unsigned(groups.length), ...groups.flat(), ...this.#code, PLAIN.end];
  }
}

function typeCode(type: LocalType): number {
  return type === 'i32' ? I32 : V128;
}

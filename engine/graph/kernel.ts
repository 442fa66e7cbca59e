import type { Tensor } from './tensor.ts';

/**
 * How a kernel uses an operand: `read`, `write` (every word is overwritten) or `update` (read and
 * written); `?` marks an operand that may be absent.
 */
type Role = 'read' | 'write' | 'update' | 'read?';
export type Roles = Readonly<Record<string, Role>>;

/** One of several named groups of attributes, such as the constants of neuron models. */
export interface OneOf<M extends Readonly<Record<string, Schema>>> {
  readonly oneOf: M;
}

/** A value that only the host reads: it is neither a shader constant nor a WASM argument. */
export interface HostValue<T> {
  readonly host: true;
  /** Never set: carries the type. */
  readonly type?: T;
}

/** The type of a static attribute; an array lists the names that it may have, `flag?` is false where it is absent. */
type AttributeType =
  | 'int'
  | 'float'
  | 'flag'
  | 'flag?'
  | readonly string[]
  | OneOf<Readonly<Record<string, Schema>>>
  | HostValue<unknown>;

/** The static attributes of a kernel. */
export interface Schema {
  readonly [name: string]: AttributeType;
}

/** A number that follows from the attributes of a call: kernels take it as they take those. */
export interface Derived {
  readonly type: 'int' | 'float';
  readonly of: (attributes: never) => number;
}

/** The contract of a kernel between those that trace programs and those that play them. */
export interface Kernel<R extends Roles = Roles, S extends Schema = Schema> {
  readonly name: string;
  /** Area of the table; also the folder of the shader. */
  readonly area: string;
  /** Operands with their roles, in binding order: backends take them by name. */
  readonly operands: R;
  readonly attributes: S;
  readonly derived?: Readonly<Record<string, Derived>>;
}

type ValueOf<T> = T extends 'int' | 'float'
  ? number
  : T extends 'flag'
    ? boolean
    : T extends readonly (infer Name)[]
      ? Name
      : T extends HostValue<infer Value>
        ? Value
        : never;

type PlainValues<S> = {
  readonly [P in keyof S as S[P] extends OneOf<infer _> | 'flag?' ? never : P]: ValueOf<S[P]>;
} & { readonly [P in keyof S as S[P] extends 'flag?' ? P : never]?: boolean | undefined };

type Choices<S> = {
  [P in keyof S]: S[P] extends OneOf<infer M>
    ? { [N in keyof M]: { readonly [Q in P]: N } & PlainValues<M[N]> }[keyof M]
    : never;
}[keyof S];

/** The attribute values of one call. */
export type AttributesOf<S extends Schema> = PlainValues<S> &
  ([Choices<S>] extends [never] ? unknown : Choices<S>);

/** The tensors of one call, by the names of their operands. */
export type OperandsOf<R extends Roles> = {
  readonly [P in keyof R as R[P] extends 'read?' ? never : P]: Tensor;
} & { readonly [P in keyof R as R[P] extends 'read?' ? P : never]?: Tensor | undefined };

/** One kernel with its operands: the instruction of a Program. */
export interface KernelCall {
  readonly kernel: Kernel;
  readonly operands: Readonly<Record<string, Tensor | undefined>>;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The numbers of a call that its kernel derives from the attributes, by name. */
export function derivedOf({ kernel, attributes }: KernelCall): Readonly<Record<string, number>> {
  const { derived = {} } = kernel;
  return Object.fromEntries(
    // The row was checked where it was declared: its functions take its attributes.
    Object.entries(derived).map(([name, { of }]) => [name, of(attributes as never)]),
  );
}

interface Operand {
  readonly name: string;
  /** Position in the kernel's row of the table: the binding index. */
  readonly index: number;
  readonly role: 'read' | 'write' | 'update';
  readonly tensor: Tensor;
}

/** The operands of a call that are present, in binding order. */
export function operandsOf({ kernel, operands }: KernelCall): Operand[] {
  return Object.entries(kernel.operands).flatMap(([name, role], index) => {
    const tensor = operands[name];
    return tensor ? [{ name, index, role: role === 'read?' ? 'read' : role, tensor }] : [];
  });
}

/** What a file of groups and data sets holds, such as HDF5, without a file. */

export type NumberData =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** A data set of numbers, row-major; a scalar has no axes. */
export interface NumberSet {
  readonly shape: readonly number[];
  readonly data: NumberData;
}

/** A data set of texts, row-major; a scalar has no axes. */
export interface TextSet {
  readonly shape: readonly number[];
  readonly texts: readonly string[];
}

export type TreeEntry = TreeGroup | NumberSet | TextSet;
export type TreeGroup = ReadonlyMap<string, TreeEntry>;

export function isTreeGroup(entry: TreeEntry): entry is TreeGroup {
  return entry instanceof Map;
}

export function isTextSet(entry: TreeEntry): entry is TextSet {
  return !isTreeGroup(entry) && 'texts' in entry;
}

export function text(value: string): TextSet {
  return { shape: [], texts: [value] };
}

/** What reading with a cache, and conversion to spikes, need beside the kernels of a float transformer. */
export const transformerRoles = {
  cache_rows: { source: 'read', cells: 'read', cache: 'update' },
  cached_attention: { qkv: 'read', cells: 'read', cache: 'read', output: 'write' },
  signed_drive: { input: 'read', range: 'read', drive: 'write' },
} as const;

/**
 * A cache has a place for each token of each sequence it keeps. Its cell `slot * sequence + place` holds
 * the keys and then the values of all heads.
 */
export interface TransformerAttributes {
  /** Copies `width` words from `offset` on of each of `rows` rows of `stride` words into the row's cell. */
  readonly cache_rows: {
    readonly rows: number;
    readonly width: number;
    readonly stride: number;
    readonly offset: number;
  };
  /** `sequence` is the number of places of a sequence: a row sees its own and those before it. */
  readonly cached_attention: {
    readonly rows: number;
    readonly heads: number;
    readonly headWidth: number;
    readonly sequence: number;
    /** What scores are multiplied by. */
    readonly factor: number;
  };
  /** `rows` of `width` features become as many of `2 width` currents, each with `offset` added. */
  readonly signed_drive: { readonly rows: number; readonly width: number; readonly offset: number };
}

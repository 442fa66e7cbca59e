/** The float transformer that bars 7 and 8 measure, and what it learns; ours and the peers share it. */
export const sizes = { batch: 32, sequence: 64, width: 128, blocks: 2, heads: 4, vocabulary: 96 };

export interface Batch {
  /** `[batch * sequence]` */
  readonly ids: Uint32Array;
  readonly targets: Uint32Array;
}

/** Sequences in which each token decides the next. */
export function drawBatch(): Batch {
  const { batch, sequence, vocabulary } = sizes;
  const ids = new Uint32Array(batch * sequence);
  const targets = new Uint32Array(batch * sequence);
  for (let row = 0; row < ids.length; row++) {
    const isFirst = row % sequence === 0;
    const id = isFirst ? Math.floor(Math.random() * vocabulary) : (targets[row - 1] ?? 0);
    ids[row] = id;
    targets[row] = (3 * id + 1) % vocabulary;
  }
  return { ids, targets };
}

/** `[ids.length, vocabulary]` */
export function oneHot(ids: Uint32Array): Float32Array {
  const { vocabulary } = sizes;
  const rows = new Float32Array(ids.length * vocabulary);
  for (const [row, id] of ids.entries()) rows[row * vocabulary + id] = 1;
  return rows;
}

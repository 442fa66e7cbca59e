import {
  type AssociativeMemory,
  capacityOf,
  createAssociativeMemory,
  defaultAttractor,
} from '../../engine/memory.ts';
import type { Scale } from './ranking.ts';
import type { Recalled } from './search.ts';
import { TableStore } from '../storage/table-store.ts';

interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly vector: ArrayBuffer;
}

/**
 * The capacity of the network; beyond it, the most important memories are used, and of these the
 * latest.
 */
const MAX_ASSOCIATED = capacityOf(defaultAttractor);

/** A smaller overlap of codes occurs by chance: two codes overlap by a 64th on average. */
const OVERLAP: Scale = { chance: 1 / 8, certain: 1 / 2 };

/**
 * Memories as attractors of a spiking network, see docs/design/associative-memory.md. It is built
 * from the store on first use, and rebuilt after something was stored or deleted.
 */
export class AssociativeRecall extends TableStore {
  #network: AssociativeMemory | undefined;
  /** Counts changes, so that an outdated network is not cached. */
  #version = 0;

  /** Whether there are more memories than the network holds. */
  get isPartial(): boolean {
    const { n } = this.one<{ n: number }>('SELECT count(*) AS n FROM memories');
    return n > MAX_ASSOCIATED;
  }

  /** Sequence numbers of the memories that a cue recalls, the nearest first. */
  async recall(cue: Int8Array, limit: number): Promise<Recalled> {
    const version = this.#version;
    const network = this.#network ?? (await this.#build());
    if (version === this.#version) this.#network = network;
    const recalled = await network.recall(cue, limit);
    const found = recalled
      .filter(({ overlap }) => overlap >= OVERLAP.chance)
      .map(({ key, overlap }) => ({ seq: Number(key), similarity: overlap }));
    return { found, scale: OVERLAP };
  }

  forget(): void {
    this.#version += 1;
    this.#network = undefined;
  }

  async #build(): Promise<AssociativeMemory> {
    const rows = this.rows<Row>`SELECT seq, vector FROM memories JOIN slots USING (slot)
      ORDER BY importance DESC, seq DESC LIMIT ${MAX_ASSOCIATED}`;
    const network = await createAssociativeMemory();
    for (const { seq, vector } of rows) {
      const embedding = new Int8Array(vector);
      // A text without words has an empty code.
      if (embedding.some((x) => x !== 0)) await network.store(String(seq), embedding);
    }
    return network;
  }
}

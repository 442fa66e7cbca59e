import { latencyMatrix } from './latency.ts';
import type { GeoBook } from './store-state.ts';

/** The matrix as it is sent. */
export interface KeptMatrix {
  readonly text: string;
  readonly etag: string;
}

/** The latency matrix as JSON, kept until a region or a measurement changes. */
export class GeoLatencies {
  readonly #book: GeoBook;
  #kept: (KeptMatrix & { readonly key: string }) | undefined;

  constructor(book: GeoBook) {
    this.#book = book;
  }

  at(now: number): KeptMatrix {
    const key = this.#key(now);
    if (this.#kept?.key === key) return this.#kept;
    const { state, trips } = this.#book;
    const places = [...state.regions.values()].map(({ region }) => region);
    const text = JSON.stringify(latencyMatrix(places, trips.at(now)));
    this.#kept = { key, text, etag: etagOf(text) };
    return this.#kept;
  }

  #key(now: number): string {
    const { state, trips } = this.#book;
    // What was measured ages by the minute.
    const minute = trips.revision === 0 ? 0 : Math.floor(now / 60_000);
    const places = [...state.regions.values()].map(
      ({ region: { region_id, createdAt } }) => `${region_id} ${createdAt}`,
    );
    return `${places.join()} ${trips.revision} ${minute}`;
  }
}

/** FNV-1a over the text, which is the same for the same figures. */
function etagOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `"${(hash >>> 0).toString(16)}-${text.length}"`;
}

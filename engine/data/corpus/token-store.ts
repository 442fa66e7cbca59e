/** Storage of a text's tokens during training: written once from end to end, then read. */
export interface TokenStore {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Bytes from `start` up to, but not including, `end`, in a buffer of their own. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Frees the storage. */
  close(): Promise<void>;
}

/** Makes room for the tokens of one text. */
export type OpenTokenStore = () => Promise<TokenStore>;

/** A store of blobs: a browser moves large ones to disk, Node keeps them in memory. */
export async function openBlobStore(): Promise<TokenStore> {
  let parts: Blob[] = [];
  let whole: Blob | undefined;
  return {
    async append(bytes) {
      parts.push(new Blob([bytes]));
      whole = undefined;
    },
    async read(start, end) {
      whole ??= new Blob(parts);
      return new Uint8Array(await whole.slice(start, end).arrayBuffer());
    },
    async close() {
      parts = [];
      whole = undefined;
    },
  };
}

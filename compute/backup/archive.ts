import * as z from 'zod/mini';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KeptEnd, KeptForm, KeptObject, RowsDigest } from '../../edge/contract/backup.ts';
import { BackupError } from './backup-error.ts';

/** An object of a backup: its rows lie in a file of their own, a line each. */
const ArchivedObject = z.strictObject({
  object: KeptObject,
  file: z.string(),
  form: KeptForm,
  end: KeptEnd,
  digest: RowsDigest,
});
export type ArchivedObject = z.infer<typeof ArchivedObject>;

/** A file of a bucket: its bytes lie under their digest, once however many files have them. */
export const ArchivedFile = z.strictObject({
  bucket: z.string(),
  key: z.string(),
  size_bytes: z.int(),
  etag: z.string(),
  digest: RowsDigest,
});
export type ArchivedFile = z.infer<typeof ArchivedFile>;

const Manifest = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  created_at: z.string(),
  objects: z.array(ArchivedObject),
  files: z.int(),
  bytes: z.int(),
});
export type Manifest = z.infer<typeof Manifest>;

/** A folder with a backup. It is complete with its manifest, which is written last. */
export class Archive {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get isComplete(): boolean {
    return existsSync(this.#at('manifest.json'));
  }

  get isBegun(): boolean {
    return existsSync(this.#at('objects'));
  }

  begin(): void {
    mkdirSync(this.#at('objects'), { recursive: true });
    mkdirSync(this.#at('files'), { recursive: true });
  }

  /** @throws BackupError where there is no complete backup */
  manifest(): Manifest {
    if (!this.isComplete) {
      throw new BackupError(`${this.#folder} holds no complete backup: there is no manifest.json`);
    }
    const parsed = Manifest.safeParse(JSON.parse(readFileSync(this.#at('manifest.json'), 'utf8')));
    if (parsed.success) return parsed.data;
    throw new BackupError(`${this.#folder}/manifest.json: ${z.prettifyError(parsed.error)}`);
  }

  finish(manifest: Manifest): void {
    const path = this.#at('manifest.json');
    writeFileSync(`${path}.partial`, `${JSON.stringify(manifest, null, 1)}\n`);
    renameSync(`${path}.partial`, path);
  }

  rowsPath({ class: kind, name }: KeptObject): string {
    const id = createHash('sha256').update(`${kind}\0${name}`).digest('hex').slice(0, 16);
    return `objects/${kind}-${id}.ndjson`;
  }

  /** The rows of an object, in parts. */
  async *rows(file: string, most: { readonly rows: number; readonly characters: number }) {
    let part: string[] = [];
    let size = 0;
    for await (const row of linesOf(this.#at(file))) {
      if (part.length > 0 && (part.length >= most.rows || size + row.length > most.characters)) {
        yield part;
        part = [];
        size = 0;
      }
      part.push(row);
      size += row.length;
    }
    if (part.length > 0) yield part;
  }

  /** Opens a file of the archive, which appears under its name once it is closed. */
  write(file: string) {
    const path = this.#at(file);
    mkdirSync(join(path, '..'), { recursive: true });
    const stream = createWriteStream(`${path}.partial`);
    return {
      async add(chunk: string | Uint8Array): Promise<void> {
        if (!stream.write(chunk)) await once(stream, 'drain');
      },
      async close(name = path): Promise<void> {
        stream.end();
        await once(stream, 'close');
        mkdirSync(join(name, '..'), { recursive: true });
        renameSync(`${path}.partial`, name);
      },
    };
  }

  bytesPath(digest: string): string {
    return this.#at(`files/${digest.slice(0, 2)}/${digest}`);
  }

  /** The bytes of a file, a part after the other. */
  async *parts(digest: string, bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await open(this.bytesPath(digest));
    try {
      for (;;) {
        const part = new Uint8Array(bytes);
        const { bytesRead } = await file.read(part);
        if (bytesRead > 0) yield part.subarray(0, bytesRead);
        if (bytesRead < bytes) return;
      }
    } finally {
      await file.close();
    }
  }

  /** What was read of the buckets so far. A last line that was cut off counts for nothing. */
  async *files(): AsyncGenerator<ArchivedFile> {
    const path = this.#at('files.ndjson');
    if (!existsSync(path)) return;
    for await (const line of linesOf(path)) {
      const parsed = ArchivedFile.safeParse(parsedJson(line));
      if (parsed.success) yield parsed.data;
    }
  }

  noteFile(file: ArchivedFile): void {
    writeFileSync(this.#at('files.ndjson'), `${JSON.stringify(file)}\n`, { flag: 'a' });
  }

  remove(file: string): void {
    rmSync(this.#at(file), { force: true });
  }

  linesOf(file: string): AsyncIterable<string> {
    return linesOf(this.#at(file));
  }

  #at(path: string): string {
    return join(this.#folder, path);
  }
}

/** Rows hold no line break: JSON writes them as \n. */
const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path), crlfDelay: Infinity });

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

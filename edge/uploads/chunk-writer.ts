import { digestOf } from '../contract/digest.ts';
import { MAX_UPLOAD_BYTES } from '../registry/contract/model-file.ts';
import { PART_BYTES, TUS_CHECKSUMS, type ChunkChecksum } from './contract/tus.ts';
import { tooLarge } from '../http/body.ts';
import type { Used } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { Remote } from '../storage/remote.ts';
import type { Commit, UploadedPart, UploadRef, UploadSession } from './machine.ts';
import type { BeginResult, NewSession, SessionResult, UploadOwner } from './sessions.ts';
import { isGone, restKey } from './file-writer.ts';
import { ResumableSha256 } from './resumable-sha256.ts';

/** The content of one request to an upload. */
interface Chunk {
  readonly content: AsyncIterable<Uint8Array>;
  /** With a checksum, all of the chunk counts or nothing; without, whatever arrives does. */
  readonly checksum: ChunkChecksum | undefined;
}

/** The object that stores uploads. */
export type SessionHolder = Remote<{
  beginSession(session: NewSession, limits: Used): Promise<BeginResult>;
  whoseSession(ref: UploadRef): UploadOwner | undefined;
  showSession(ref: UploadRef): Promise<SessionResult>;
  openSession(ref: UploadRef, offset: number): Promise<SessionResult>;
  reservePart(id: string, writer: number): number | undefined;
  commitSession(id: string, commit: Commit): Promise<SessionResult>;
  endSession(ref: UploadRef): Promise<boolean>;
}>;

interface ChunkTarget {
  readonly bucket: R2Bucket;
  readonly holder: SessionHolder;
}

/**
 * Appends a chunk to an upload that was opened for this request, buffering at most two parts. Where the
 * sender hangs up, the bytes that arrived count.
 *
 * @throws Problem checksum_mismatch, payload_too_large or upload_not_found, or what reading throws
 */
export async function appendChunk(
  session: UploadSession,
  { content, checksum }: Chunk,
  target: ChunkTarget,
): Promise<SessionResult> {
  const writer = new ChunkWriter(session, target, checksum ? 'at the end' : 'as they come');
  try {
    await takeAll(writer, { content, checksum });
    return await writer.finish();
  } catch (error) {
    await writer.settled();
    if (!checksum && isCutOff(error)) await writer.finish();
    throw isGone(error) ? ended(session) : error;
  }
}

async function takeAll(writer: ChunkWriter, { content, checksum }: Chunk): Promise<void> {
  const check = checksum && startCheck(checksum);
  await writer.loadRest();
  for await (const piece of content) {
    await check?.write(piece);
    await writer.write(piece);
  }
  await check?.end();
}

/** The bytes before the interruption count. */
const isCutOff = (error: unknown) =>
  error instanceof Problem && ['body_cut_off', 'body_too_slow'].includes(error.code);

const ended = ({ id }: UploadSession) =>
  new Problem('upload_not_found', `The upload ${id} was deleted while bytes arrived.`);

function startCheck({ algorithm, hash: expected }: ChunkChecksum) {
  const stream = new crypto.DigestStream(TUS_CHECKSUMS[algorithm]);
  const writer = stream.getWriter();
  return {
    write: (piece: Uint8Array) => writer.write(piece),
    async end() {
      await writer.close();
      const actual = new Uint8Array(await stream.digest);
      if (actual.every((byte, i) => byte === expected[i])) return;
      const [want, got] = [expected, actual].map((hash) => btoa(String.fromCharCode(...hash)));
      throw new Problem(
        'checksum_mismatch',
        `The chunk has the ${algorithm} ${got}, expected ${want}; none of it was stored.`,
      );
    },
  };
}

/** Collects bytes into parts; each is sent to the bucket while the next one fills. */
class ChunkWriter {
  readonly #session: UploadSession;
  readonly #target: ChunkTarget;
  readonly #multipart: R2MultipartUpload;
  readonly #commits: 'as they come' | 'at the end';
  readonly #hash: ResumableSha256;
  #part = new Uint8Array(PART_BYTES);
  #spare: Uint8Array<ArrayBuffer> | undefined;
  #filled: number;
  /** The length of all parts sent, and of all bytes received. */
  #partsEnd: number;
  #offset: number;
  #uncommitted: UploadedPart[] = [];
  #hashState: string;
  #oldRest: string | null;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(session: UploadSession, target: ChunkTarget, commits: 'as they come' | 'at the end') {
    const { objectKey, multipartId, offset, hashState, restKey: oldRest } = session;
    this.#session = session;
    this.#target = target;
    this.#commits = commits;
    this.#multipart = target.bucket.resumeMultipartUpload(objectKey, multipartId);
    this.#filled = oldRest === null ? 0 : offset % PART_BYTES;
    this.#partsEnd = offset - this.#filled;
    this.#offset = offset;
    this.#hash = ResumableSha256.resume(hashState, this.#partsEnd);
    this.#hashState = hashState;
    this.#oldRest = oldRest;
  }

  async loadRest(): Promise<void> {
    if (this.#oldRest === null) return;
    const rest = await this.#target.bucket.get(this.#oldRest);
    const bytes = rest ? new Uint8Array(await rest.arrayBuffer()) : new Uint8Array();
    if (bytes.byteLength !== this.#filled) {
      throw new Error(`${this.#oldRest} has ${bytes.byteLength} bytes, expected ${this.#filled}`);
    }
    this.#part.set(bytes);
  }

  async write(piece: Uint8Array): Promise<void> {
    const { offset: start, lengthBytes } = this.#session;
    const offset = this.#offset + piece.byteLength;
    if (offset > lengthBytes) {
      throw new Problem(
        'payload_too_large',
        `The chunk extends beyond byte ${lengthBytes}, the length of the upload.`,
      );
    }
    if (offset - start > MAX_UPLOAD_BYTES) throw tooLarge(MAX_UPLOAD_BYTES);
    for (let rest = piece; rest.byteLength > 0;) {
      if (this.#filled === PART_BYTES) await this.#sendPart();
      const taken = rest.subarray(0, PART_BYTES - this.#filled);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
    }
    this.#offset = offset;
  }

  /** Commits all bytes received. */
  async finish(): Promise<SessionResult> {
    const { lengthBytes, offset } = this.#session;
    const isLast = this.#offset === lengthBytes;
    if (this.#offset === offset && !isLast) {
      return { kind: 'session', session: this.#session, file: undefined };
    }
    if (!isLast && this.#filled < PART_BYTES) return this.#keepRest();
    const digest = await this.#lastPart(isLast);
    return this.#commit({ restKey: null, digest });
  }

  /** Nothing is on its way any more, whether it arrived or not. */
  async settled(): Promise<void> {
    await this.#sending.catch(() => {});
  }

  async #lastPart(isLast: boolean) {
    if (this.#filled > 0) await this.#sendPart(isLast ? 'last' : 'inner');
    await this.#sending;
    return isLast ? digestOf(this.#hash.digest()) : null;
  }

  async #sendPart(place: 'inner' | 'last' = 'inner'): Promise<void> {
    const full = this.#part;
    const bytes = full.subarray(0, this.#filled);
    this.#hash.update(bytes);
    // A last part may end within a block, and is never continued.
    const hashState = place === 'last' ? '' : this.#hash.save();
    await this.#sending;
    // The previous part has arrived, so its buffer is free for the next one.
    this.#part = this.#spare ?? new Uint8Array(place === 'last' ? 0 : PART_BYTES);
    this.#spare = full;
    this.#filled = 0;
    const sending = this.#upload(bytes, hashState, place);
    this.#sending = sending;
    // Awaited before the next part; until then a failure must not count as unhandled.
    sending.catch(() => {});
  }

  async #upload(bytes: Uint8Array, hashState: string, place: 'inner' | 'last'): Promise<void> {
    const { id, writer } = this.#session;
    const number = await this.#target.holder.reservePart(id, writer);
    if (number === undefined) throw overtaken(id);
    const { etag } = await this.#multipart.uploadPart(number, bytes);
    this.#uncommitted.push({ number, etag });
    this.#partsEnd += bytes.byteLength;
    this.#hashState = hashState;
    // The last part is committed with its digest.
    if (place === 'last' || this.#commits === 'at the end') return;
    const { kind } = await this.#commit({ restKey: null, digest: null });
    if (kind !== 'session') throw overtaken(id);
  }

  async #keepRest(): Promise<SessionResult> {
    await this.#sending;
    const { objectKey, writer } = this.#session;
    const key = restKey(objectKey, writer);
    await this.#target.bucket.put(key, this.#part.subarray(0, this.#filled));
    const result = await this.#commit({ restKey: key, digest: null });
    if (result.kind !== 'session') await this.#target.bucket.delete(key);
    return result;
  }

  async #commit(last: {
    readonly restKey: string | null;
    readonly digest: ReturnType<typeof digestOf> | null;
  }): Promise<SessionResult> {
    const parts = this.#uncommitted;
    this.#uncommitted = [];
    const { id, writer } = this.#session;
    const result = await this.#target.holder.commitSession(id, {
      ...last,
      writer,
      parts,
      hashState: this.#hashState,
      offset: this.#partsEnd + (last.restKey === null ? 0 : this.#filled),
    });
    if (result.kind === 'session' && this.#oldRest !== null) {
      await this.#target.bucket.delete(this.#oldRest).catch(() => {});
      this.#oldRest = null;
    }
    return result;
  }
}

const overtaken = (id: string) =>
  new Problem('offset_mismatch', `Another request continues the upload ${id}.`);

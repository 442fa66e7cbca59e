import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Commit,
  decideCommit,
  decideOpen,
  isExpired,
  type UploadSession,
} from '../../edge/uploads/machine.ts';
import { ResumableSha256 } from '../../edge/uploads/resumable-sha256.ts';
import { bytesOf, type SharedEdge, filesOf, registerModel, sha256, sharedEdge } from './harness.ts';
import { begin, checksumOf, head, offsetOf, openPatch, patch } from './tus-client.ts';

const DIGEST = `sha256:${'a'.repeat(64)}` as const;

const begun = (lengthBytes: number): UploadSession => ({
  id: 'upload_1',
  modelId: 'tiny',
  version: '1.0.0',
  filename: 'a.bin',
  claimedDigest: null,
  metadata: '',
  lengthBytes,
  objectKey: 'files/1',
  multipartId: '1',
  status: 'open',
  offset: 0,
  hashState: '',
  restKey: null,
  digest: null,
  writer: 0,
  expiresAt: 1000,
  owner: 'local',
  team: 'default',
});

const commitOf = (session: UploadSession, writer: number, offset: number): Commit => ({
  writer,
  offset,
  parts: [],
  hashState: `after ${offset}`,
  restKey: null,
  digest: offset === session.lengthBytes ? DIGEST : null,
});

/** Steps of an upload: a request opens it, or one of those that opened it writes. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), isRight: fc.boolean() }),
  fc.record({
    kind: fc.constant('commit' as const),
    // The latest writer, or one that lost its caller some requests ago.
    age: fc.nat(2),
    bytes: fc.nat(40),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const offsetAfter = ({ offset, lengthBytes }: UploadSession, next: Step) =>
  next.kind === 'open' ? offset : Math.min(lengthBytes, offset + next.bytes);

/** Asks the machine, and says whether it took the step and what it made of the upload. */
function take(session: UploadSession, next: Step) {
  const decision =
    next.kind === 'open'
      ? decideOpen(session, next.isRight ? session.offset : session.offset + 1)
      : decideCommit(
          session,
          commitOf(session, session.writer - next.age, offsetAfter(session, next)),
          2000,
        );
  const isTaken = decision.kind === 'open' || decision.kind === 'commit';
  return { isTaken, after: isTaken ? decision.session : session };
}

describe('a resumable upload', () => {
  it('only grows, and only by its latest writer, whatever the others do', () => {
    const lengths = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(lengths, fc.array(step, { maxLength: 40 }), (length, steps) => {
        let session = begun(length);
        for (const next of steps) {
          const { isTaken, after } = take(session, next);
          const isAllowed =
            next.kind === 'open' ? next.isRight : next.age === 0 && session.status === 'open';

          expect(isTaken).toBe(isAllowed);
          expect(after.offset).toBe(isTaken ? offsetAfter(session, next) : session.offset);
          expect(after.status).toBe(after.offset === length ? 'complete' : 'open');
          expect(after.digest !== null).toBe(after.status === 'complete');
          session = after;
        }
      }),
      { seed: 31 },
    );
  });

  it.each<[string, Partial<Commit>]>([
    ['goes back', { offset: 4 }],
    ['goes too far', { offset: 11 }],
    ['ends without a digest', { offset: 10, digest: null }],
    ['has a digest before its end', { offset: 9, digest: DIGEST }],
  ])('takes no commit that %s', (_, fault) => {
    const session = { ...begun(10), offset: 5 };

    expect(decideCommit(session, { ...commitOf(session, 0, 6), ...fault }, 0).kind).toBe('fenced');
  });

  it('expires unless it is complete and only waits to be published', () => {
    const at = (status: UploadSession['status'], now: number) =>
      isExpired({ ...begun(10), status }, now);

    expect([at('open', 999), at('open', 1000), at('published', 1000)]).toEqual([false, true, true]);
    expect(at('complete', 5000)).toBe(false);
  });
});

describe('a hash that is taken up again', () => {
  it('is that of all bytes, wherever whole blocks were cut', () => {
    const cuts = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, fc.nat(200), (blocks, odd) => {
        const size = blocks.reduce((sum, count) => sum + count * 64, odd);
        const bytes = bytesOf(size, 5);
        let [state, done] = ['', 0];
        for (const count of blocks) {
          const hash = ResumableSha256.resume(state, done);
          hash.update(bytes.subarray(done, done + count * 64));
          [state, done] = [hash.save(), done + count * 64];
        }
        const last = ResumableSha256.resume(state, done).update(bytes.subarray(done));
        expect(`sha256:${Buffer.from(last.digest()).toString('hex')}`).toBe(sha256(bytes));
      }),
      { seed: 32 },
    );
  });

  it('is refused inside of a block', () => {
    expect(() => new ResumableSha256().update(bytesOf(65, 1)).save()).toThrow('1 bytes');
    expect(() => ResumableSha256.resume('0'.repeat(64), 65)).toThrow('no state after 65');
    expect(() => ResumableSha256.resume('', 64)).toThrow('no state');
  });
});

/** Actions of a caller, and faults of the connection. */
const action = fc.oneof(
  fc.record({ kind: fc.constant('patch' as const), size: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ kind: fc.constant('checked' as const), size: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ kind: fc.constant('damaged' as const), size: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ kind: fc.constant('torn' as const), size: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ kind: fc.constant('wrong offset' as const), size: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('head' as const), size: fc.constant(0) }),
);

describe('a resumable upload over the wire', () => {
  let edge: SharedEdge;
  beforeAll(async () => {
    edge = await sharedEdge();
  });

  it('is what a list of accepted bytes is, through any row of requests', async () => {
    const bytes = bytesOf(200_000, 9);
    let count = 0;
    const lengths = fc.integer({ min: 1, max: bytes.byteLength });
    await fc.assert(
      fc.asyncProperty(lengths, fc.array(action, { maxLength: 8 }), async (length, actions) => {
        const model = await registerModel(edge.registry, `walk-${count++}`);
        const whole = bytes.subarray(0, length);
        const upload = await begin(model, { length, digest: sha256(whole) });
        let accepted = 0;
        for (const { kind, size } of [...actions, { kind: 'patch' as const, size: length }]) {
          if (accepted === length) break;
          const chunk = whole.subarray(accepted, accepted + size);
          const done = await act(kind, upload, { chunk, accepted, length });
          expect(done.status).toBe(STATUS[kind]);
          accepted = done.accepted;
          expect(await offsetOf(upload)).toBe(accepted);
        }
        expect((await head(upload)).headers.has('repr-digest')).toBe(accepted === length);
        const { files } = await filesOf(model);
        expect(files.map(({ digest }) => digest)).toEqual(
          accepted === length ? [sha256(whole)] : [],
        );
      }),
      { seed: 33, numRuns: 25 },
    );
  });
});

type Action = 'patch' | 'checked' | 'damaged' | 'torn' | 'wrong offset' | 'head';

/** The status of the response to each action; 0 where the caller hangs up. */
const STATUS: Readonly<Record<Action, number>> = {
  patch: 204,
  checked: 204,
  damaged: 460,
  'wrong offset': 409,
  head: 200,
  torn: 0,
};

interface Turn {
  readonly chunk: Uint8Array<ArrayBuffer>;
  readonly accepted: number;
  readonly length: number;
}

/** Does one thing; says what was answered, and how many bytes have to be accepted after it. */
async function act(
  kind: Action,
  upload: URL,
  turn: Turn,
): Promise<{ readonly status: number; readonly accepted: number }> {
  const { chunk, accepted } = turn;
  const checksum = { 'upload-checksum': checksumOf(chunk) };
  const damaged = chunk.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  switch (kind) {
    case 'patch':
    case 'checked': {
      const { status } = await patch(upload, accepted, chunk, kind === 'checked' ? checksum : {});
      return { status, accepted: accepted + chunk.byteLength };
    }
    case 'damaged':
      return { status: (await patch(upload, accepted, damaged, checksum)).status, accepted };
    case 'wrong offset':
      return { status: (await patch(upload, accepted + 1, chunk)).status, accepted };
    case 'head':
      return { status: (await head(upload)).status, accepted };
    case 'torn':
      return { status: 0, accepted: await torn(upload, turn) };
  }
}

/** Announces a byte more than it sends and hangs up: some of what was sent is accepted, in the end. */
async function torn(upload: URL, { chunk, accepted, length }: Turn): Promise<number> {
  if (accepted + chunk.byteLength === length) return accepted;
  const request = openPatch(upload, accepted, chunk.byteLength + 1);
  await request.write(chunk);
  request.hangUp();
  await request.answer;
  // All of it was written to the wire of this very machine before the end, so all of it arrives.
  await vi.waitFor(async () => expect(await offsetOf(upload)).toBe(accepted + chunk.byteLength), {
    timeout: 5000,
    interval: 10,
  });
  return accepted + chunk.byteLength;
}

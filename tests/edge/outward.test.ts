import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutwardServer } from '../../compute/outward/outward-server.ts';
import { MAX_STREAMS, Outflow, WINDOW_BYTES } from '../../edge/outward/contract/flow.ts';
import {
  ResponseHead,
  FrameFault,
  MAX_FRAME_BYTES,
  readFrame,
  readHead,
  writeFrame,
  writeHead,
} from '../../edge/outward/contract/frames.ts';
import { OutwardClient } from '../../edge/outward/outward-client.ts';
import { bytesOf } from './harness.ts';

const NUM_RUNS = 60;

/** Both ends, and the frames between them, handed over one at a time in an order that `next` picks. */
function joined(answer: (request: Request) => Promise<Response>, next: () => boolean = () => true) {
  const toService: Uint8Array<ArrayBuffer>[] = [];
  const toGateway: Uint8Array<ArrayBuffer>[] = [];
  let most = 0;
  let isGoing = false;
  const go = () => {
    if (isGoing) return;
    isGoing = true;
    setImmediate(() => {
      isGoing = false;
      most = Math.max(most, sum(toService), sum(toGateway));
      const isOut = toGateway.length === 0 || (toService.length > 0 && next());
      const frame = (isOut ? toService : toGateway).shift();
      if (frame) (isOut ? service : gateway).receive(frame);
      if (toService.length + toGateway.length > 0) go();
    });
  };
  const into = (queue: Uint8Array<ArrayBuffer>[]) => (frame: Uint8Array<ArrayBuffer>) => {
    queue.push(frame);
    go();
  };
  const gateway = new OutwardClient(into(toService));
  const service = new OutwardServer(into(toGateway), answer);
  return { gateway, service, most: () => most };
}

const sum = (frames: readonly Uint8Array[]) => frames.reduce((all, { length }) => all + length, 0);

/** A body in chunks of these sizes. */
function bodyOf(sizes: readonly number[], seed: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = sizes.map((size, i) => bytesOf(size, seed + i));
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

const wholeOf = async (body: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

/** The class of the error thrown; undefined if there is none. */
function faultOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).constructor;
  }
}

const posting = (body: ReadableStream) =>
  new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit);

describe('frames', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), fc.uint8Array(), (stream, bytes) => {
        const read = readFrame(writeFrame('data', stream, bytes));
        expect([read.kind, read.stream, [...read.payload]]).toEqual(['data', stream, [...bytes]]);
      }),
    );
  });

  it('of any bytes are read or refused with a reason, and none is larger than may be', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 0, max: 9 }),
        (bytes, kind) => {
          const frame = Uint8Array.of(kind, ...bytes);
          expect([undefined, FrameFault]).toContain(faultOf(() => readFrame(frame)));
        },
      ),
      { numRuns: 5_000 },
    );
    expect(() => readFrame(new Uint8Array(MAX_FRAME_BYTES + 1).fill(3))).toThrow(FrameFault);
    const headers = [['x', 'y'.repeat(70_000)]] as [string, string][];
    expect(() => writeHead('response', 1, { status: 200, headers })).toThrow(
      /headers of 70\d+ bytes/,
    );
  });

  it.each(['', '{', '{"status":200}', '{"status":99,"headers":[]}', '\xff'])(
    'without a head are refused: %j',
    (text) => {
      const frame = readFrame(writeFrame('response', 7, Buffer.from(text, 'latin1')));
      expect(() => readHead(frame, ResponseHead)).toThrow('response without a head');
    },
  );
});

describe('requests over one connection', () => {
  const chunks = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 8 });

  it('arrive whole in both directions, however they are cut and mixed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ asked: chunks, answered: chunks }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.boolean()),
        async (calls, order) => {
          const got: Buffer[] = [];
          const { gateway, service, most } = joined(
            async (request) => {
              const i = Number(request.headers.get('x-call'));
              got[i] = await wholeOf(request.body ?? new Blob([]).stream());
              const headers = { 'x-call': String(i) };
              return new Response(bodyOf(calls[i]!.answered, 1_000 * i + 500), { headers });
            },
            () => order.next().value,
          );
          const answers = await Promise.all(
            calls.map(async ({ asked }, i) => {
              const request = posting(bodyOf(asked, 1_000 * i));
              request.headers.set('x-call', String(i));
              const { response, over } = gateway.ask(request, '/');
              const answer = await response;
              expect([answer.status, answer.headers.get('x-call')]).toEqual([200, String(i)]);
              const bytes = Buffer.from(await answer.arrayBuffer());
              await over;
              return bytes;
            }),
          );
          await service.empty();
          for (const [i, { asked, answered }] of calls.entries()) {
            expect(got[i]?.equals(await wholeOf(bodyOf(asked, 1_000 * i)))).toBe(true);
            expect(answers[i]?.equals(await wholeOf(bodyOf(answered, 1_000 * i + 500)))).toBe(true);
          }
          expect(gateway.size).toBe(0);
          // The bytes in flight are bounded by the windows, whatever is sent.
          expect(most()).toBeLessThan(calls.length * (WINDOW_BYTES + 4_096));
        },
      ),
      { numRuns: NUM_RUNS },
    );
  });

  it('stop where nobody reads the answer: the service sends no more than its window', async () => {
    let sent = 0;
    const { gateway, service } = joined(async ({ signal }) => {
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          if (signal.aborted) return controller.close();
          sent += 1_000;
          controller.enqueue(new Uint8Array(1_000));
        },
      });
      return new Response(endless);
    });
    const { response, over } = gateway.ask(new Request('http://x/'), '/endless');
    const answer = await response;
    for (let before = -1; before !== sent;) {
      before = sent;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
    expect(sent).toBeLessThan(WINDOW_BYTES + 3_000);

    await answer.body?.cancel();

    await Promise.all([over, service.empty()]);
  });

  it('are given up on both sides where the caller hangs up, before and during the answer', async () => {
    const reasons: boolean[] = [];
    const begun = Promise.withResolvers<void>();
    const { gateway, service } = joined(async ({ signal }) => {
      const gone = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => gone.resolve());
      begun.resolve();
      await gone.promise;
      reasons.push(signal.aborted);
      return new Response('late');
    });
    const caller = new AbortController();
    const { response } = gateway.ask(new Request('http://x/', caller), '/slow');
    await begun.promise;
    caller.abort();
    await expect(response).rejects.toThrow('the caller hung up');
    await service.empty();
    expect([reasons, gateway.size]).toEqual([[true], 0]);
  });

  it('fail at once where the connection is gone, also in the middle of an answer', async () => {
    const { gateway, service } = joined(async (request) =>
      request.url.endsWith('/silent')
        ? new Promise<Response>(() => {})
        : new Response(new ReadableStream({ start: (c) => c.enqueue(Uint8Array.of(1)) })),
    );
    const waiting = gateway.ask(new Request('http://x/'), '/silent').response;
    const answer = await gateway.ask(new Request('http://x/'), '/half').response;

    gateway.fail(new Error('the connection is gone'));
    service.fail();

    await expect(waiting).rejects.toThrow('the connection is gone');
    await expect(answer.text()).rejects.toThrow('the connection is gone');
    expect(gateway.size).toBe(0);
  });

  it('are no more at once than there may be', () => {
    const { gateway } = joined(() => new Promise(() => {}));
    for (let i = 0; i < MAX_STREAMS; i++) {
      expect(gateway.isFull).toBe(false);
      gateway.ask(new Request('http://x/'), '/');
    }
    expect(gateway.isFull).toBe(true);
  });
});

describe('a side that breaks the rules', () => {
  const answering = () =>
    new OutwardServer(
      () => {},
      () => new Promise(() => {}),
    );
  const request = (stream: number) =>
    writeHead('request', stream, { method: 'POST', path: '/', headers: [], body: true });

  it('learns why: more than its window, bytes after the end, too many streams', () => {
    const flooded = answering();
    flooded.receive(request(1));
    const flood = () => {
      for (let i = 0; i < 4; i++) flooded.receive(writeFrame('data', 1, new Uint8Array(40_000)));
    };
    expect(flood).toThrow('more bytes than a stream may send');

    const tiny = answering();
    tiny.receive(request(1));
    const drip = () => {
      for (let i = 0; i < 3_000; i++) tiny.receive(writeFrame('data', 1));
    };
    expect(drip).toThrow('more bytes than a stream may send');

    const ended = answering();
    ended.receive(request(1));
    ended.receive(writeFrame('end', 1));
    expect(() => ended.receive(writeFrame('data', 1))).toThrow('bytes after the end');
    expect(() => ended.receive(request(1))).toThrow('a second request of stream 1');

    const crowded = answering();
    for (let i = 1; i <= MAX_STREAMS; i++) crowded.receive(request(i));
    expect(() => crowded.receive(request(MAX_STREAMS + 1))).toThrow(
      'more streams than there may be',
    );
  });

  it('cannot make the other one throw anything else, or hold more than its windows', () => {
    const frames = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 12 }),
        fc
          .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 }), fc.uint8Array())
          .map(([kind, stream, rest]) => Uint8Array.of(kind, 0, 0, 0, stream, ...rest)),
        fc.integer({ min: 1, max: 3 }).map(request),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(frames, (sent) => {
        const gateway = new OutwardClient(() => {});
        for (let i = 0; i < 3; i++) {
          const { response } = gateway.ask(new Request('http://x/'), '/');
          response.catch(() => {});
        }
        for (const end of [answering(), gateway]) {
          const give = () => {
            for (const frame of sent) end.receive(frame as Uint8Array<ArrayBuffer>);
          };
          expect([undefined, FrameFault]).toContain(faultOf(give));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not granted more credit than there is', () => {
    expect(() => new Outflow().grant(1)).toThrow('more credit than there is');
  });
});

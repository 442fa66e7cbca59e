import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../edge/contract/event-stream.ts';

const TEXT = [
  ': a comment\n\n',
  'data: {"delta":"é漢"}\n\n',
  'event: done\r\ndata: one\r\ndata: two\r\nid: 7\r\n\r\n',
  'event: nothing to say\n\n',
  'data:[DONE]\n\n',
  'data: cut off',
].join('');

/** The bytes of the stream, so many at a time. */
function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, (offset += size)));
    },
  });
}

describe('an event stream', () => {
  // At 1 byte, characters and line ends are cut in two; at 1,000 everything comes at once.
  it.each([1, 2, 7, 1_000])('is read the same in pieces of %i bytes', async (size) => {
    const answer = new Response(inPieces(new TextEncoder().encode(TEXT), size));
    const events = [];
    for await (const event of readEvents(answer)) events.push(event);

    expect(events).toEqual([
      { event: 'message', data: '{"delta":"é漢"}', id: undefined },
      { event: 'done', data: 'one\ntwo', id: '7' },
      { event: 'message', data: '[DONE]', id: undefined },
    ]);
  });

  it('is given up where an event has no end', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 20).fill(0x61)),
    });
    const read = async () => {
      for await (const event of readEvents(new Response(endless))) return event;
      return undefined;
    };

    await expect(read()).rejects.toThrow('holds more than 4194304 characters');
  });

  it('closes the connection when the reader stops', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });

    for await (const { data } of readEvents(new Response(endless))) {
      expect(data).toBe('x');
      break;
    }

    expect(isCancelled).toBe(true);
  });
});

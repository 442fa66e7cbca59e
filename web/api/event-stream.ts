/** One event of a `text/event-stream`. */
export interface StreamEvent {
  /** `message` where the stream gives it no name. */
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** The events of a stream as they arrive. Leaving the loop hangs up. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const frames = rest.split(/\r?\n\r?\n/);
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event) yield event;
      }
    }
  } finally {
    // What is cut off already needs no hanging up.
    await reader.cancel().catch(() => {});
  }
}

/** Comments, and frames without data, are no events. */
function parseFrame(frame: string): StreamEvent | undefined {
  const fields = frame.split(/\r?\n/).map(fieldOf);
  const last = (wanted: string) => fields.findLast(([name]) => name === wanted)?.[1];
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
  if (data.length === 0) return undefined;
  return { event: last('event') ?? 'message', data: data.join('\n'), id: last('id') };
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

import { Problem } from './refusal.ts';

/** One frame of a `text/event-stream`. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Maximum number of characters in one frame. */
const MAX_CHARACTERS = 1 << 22;

/** The frames of an event stream as they arrive; comments and frames without data are passed over. @throws Problem upstream_error where one has no end */
export async function* readEvents({ body }: Response): AsyncGenerator<StreamEvent> {
  // By its reader: not every browser iterates over a stream.
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      rest += decoder.decode(piece.value, { stream: true });
      const frames = rest.split(/\r?\n\r?\n/);
      rest = frames.pop() ?? '';
      refuseLong(rest);
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event) yield event;
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function refuseLong({ length }: string): void {
  if (length <= MAX_CHARACTERS) return;
  const detail = `An event of the stream holds more than ${MAX_CHARACTERS} characters.`;
  throw new Problem('upstream_error', detail);
}

function parseFrame(frame: string): StreamEvent | undefined {
  const data: string[] = [];
  let id: string | undefined;
  let event = 'message';
  for (const line of frame.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id') id = value;
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}

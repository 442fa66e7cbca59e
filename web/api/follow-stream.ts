import { readEvents, type StreamEvent } from '../../edge/contract/event-stream.ts';
import { backoffMs, isTransient, pause } from '../../trainer/backoff.ts';

/** How it stands with a stream of events. */
export type StreamLink =
  | { readonly status: 'connecting' | 'live' | 'lost' | 'over' }
  | { readonly status: 'refused'; readonly error: unknown };

interface Followed {
  /** Opens the stream, from the second time on at the place that was reached. */
  open(signal: AbortSignal): Promise<Response>;
  onEvent(event: StreamEvent): void;
  /** True if the stream is complete; checked whenever it ends. */
  isOver(): boolean;
  changed(link: StreamLink): void;
}

/** Follows a stream, and after every cut anew, until it is over, refused or given up by what is returned. */
export function followStream(followed: Followed): () => void {
  const closed = new AbortController();
  void goOn(followed, closed.signal);
  return () => closed.abort();
}

async function goOn(
  { open, onEvent, isOver, changed }: Followed,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      const stream = await open(signal);
      changed({ status: 'live' });
      for await (const event of readEvents(stream)) onEvent(event);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) return changed({ status: 'refused', error });
      failures += 1;
    }
    if (isOver()) return changed({ status: 'over' });
    changed({ status: 'lost' });
    await pause(backoffMs(Math.max(1, failures)), signal);
  }
}

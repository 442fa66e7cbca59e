import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { LogLevel } from '../../engine/index.ts';

/** A plugin that says more than this within the time waits for the rest of it. */
const FLOOD = { messages: 500, bytes: 512 * 1024, ms: 100 } as const;
const MAX_LINE = 4096;

/**
 * Has a stream wait that brings more than its host wants at a time: whoever floods it slows himself.
 *
 * @returns what counts a message, of so many bytes
 */
export function slowFlood(stream: Readable): (bytes?: number) => void {
  let [messages, bytes] = [0, 0];
  let window: NodeJS.Timeout | undefined;
  return (length = 0) => {
    messages += 1;
    bytes += length;
    window ??= setTimeout(() => {
      [messages, bytes, window] = [0, 0, undefined];
      stream.resume();
    }, FLOOD.ms).unref();
    if (messages > FLOOD.messages || bytes > FLOOD.bytes) stream.pause();
  };
}

/** Tells of the lines of a process, cut where they are too long. */
export function followLines(
  { stdout, stderr }: ChildProcess,
  tell: (level: LogLevel, line: string) => void,
): void {
  for (const [stream, level] of [
    [stdout, 'info'],
    [stderr, 'warn'],
  ] as const) {
    if (!stream) continue;
    const count = slowFlood(stream);
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      count(text.length);
      const lines = `${rest}${text}`.split('\n');
      // The end of a line that is too long is lost.
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const line of lines) tell(level, line.slice(0, MAX_LINE));
    });
    stream.on('end', () => rest !== '' && tell(level, rest));
  }
}

/** Looks whether V8 said, before it gave up, that memory was why. */
export class OutOfMemory {
  wasRead = false;

  read(line: string): void {
    this.wasRead ||= /out of memory|Cannot allocate memory|bad_alloc/i.test(line);
  }
}

import { connect } from 'node:net';
import { codeIn, noteAnswer } from './answer-log.ts';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends bytes as they are, as fetch tidies up paths, lengths and connections first. The request
 * has to ask for `Connection: close`.
 */
export function sendRaw(url: URL, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(rawAnswerOf(url, request, text)));
    socket.write(request);
  });
}

function rawAnswerOf({ origin }: URL, request: string, text: string): RawAnswer {
  const [method = '', target = ''] = request.split(' ');
  const [path = ''] = target.split('?');
  const status = Number(text.split(' ')[1]);
  // A refusal on a page has no code.
  const isPage = status >= 400 && /^content-type: text\/html/im.test(text);
  if (status > 0 && !isPage) noteAnswer(origin, { method, path, status, code: codeIn(text) });
  return { status, text };
}

/** GET with a path that is sent to the letter. */
export function getRaw(url: URL, path: string): Promise<RawAnswer> {
  return sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
}

/** A request whose body is sent piece by piece, and perhaps never finished. */
export interface OpenRequest {
  write(bytes: Uint8Array): Promise<void>;
  /** Sends nothing more, and listens. */
  end(): void;
  hangUp(): void;
  /** Hangs up so that the other side notices while it makes its answer. */
  reset(): void;
  /** The response, once the other side has closed. */
  readonly answer: Promise<RawAnswer>;
}

/** Sends the head of a request. */
export function openRequest(url: URL, head: readonly string[]): OpenRequest {
  const request = `${head.join('\r\n')}\r\n\r\n`;
  const socket = connect(Number(url.port), url.hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const answer = new Promise<RawAnswer>((resolve) => {
    socket.on('close', () => resolve(rawAnswerOf(url, request, text)));
  });
  socket.on('error', () => socket.destroy());
  socket.write(request);
  return {
    write: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    end: () => socket.end(),
    hangUp: () => socket.destroy(),
    reset: () => socket.resetAndDestroy(),
    answer,
  };
}

/**
 * Sends a whole body and looks at the answer then, as many clients do. The request has to ask for
 * `Connection: close`. Rejects where the connection breaks before all is sent.
 */
export function sendThenRead(
  url: URL,
  head: readonly string[],
  body: Iterable<Uint8Array>,
): Promise<RawAnswer> {
  const request = `${head.join('\r\n')}\r\n\r\n`;
  const socket = connect(Number(url.port), url.hostname);
  socket.pause();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    const send = async () => {
      socket.write(request);
      for (const bytes of body) {
        await new Promise<void>((sent) => socket.write(bytes, () => sent()));
      }
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(rawAnswerOf(url, request, text)));
      socket.resume();
    };
    void send();
  });
}

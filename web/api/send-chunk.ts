import { problemErrorOf } from '../../edge/contract/problem-error.ts';

interface Chunk {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a PATCH and reports how far it is, which a browser's fetch cannot.
 * @throws ProblemError for a refusal; TypeError where the connection broke, as fetch does
 */
export function sendChunk(url: string, chunk: Chunk): Promise<void> {
  const { headers, body, onProgress, signal } = chunk;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PATCH', url);
    request.responseType = 'text';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      if (status < 300) resolve();
      else void problemErrorOf(new Response(responseText, { status })).then(reject);
    });
    request.addEventListener('error', () => reject(new TypeError('Failed to send the chunk')));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(signal.reason);
    else request.send(body);
  });
}

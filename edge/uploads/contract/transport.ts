/** Bytes handed over so far, and all of them. */
export type Progress = (sentBytes: number, totalBytes: number) => void;

export type Bytes = Blob | Uint8Array<ArrayBuffer>;

interface Upload {
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Bytes;
  readonly onProgress: Progress | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The bytes that a runtime without XMLHttpRequest sends between progress reports. */
const PIECE_BYTES = 256 * 1024;

export const sizeOf = (body: Bytes): number =>
  body instanceof Uint8Array ? body.byteLength : body.size;

/** A slice of a body, without copying bytes that are in memory. */
export const sliceOf = (body: Bytes, from: number, to: number): Bytes =>
  body instanceof Uint8Array ? body.subarray(from, to) : body.slice(from, to);

/**
 * Sends a body and reports progress as the runtime allows: through XMLHttpRequest in a browser,
 * whose fetch reports none; through a streamed body elsewhere.
 *
 * @throws what fetch throws: a TypeError on a network failure, the signal's reason on an abort.
 */
export function sendUpload(upload: Upload, fetcher: typeof fetch): Promise<Response> {
  const { method, url, headers, body, signal, onProgress } = upload;
  if (onProgress && typeof XMLHttpRequest === 'function') return sendByXhr(upload, onProgress);
  const init = { method, headers, ...(signal && { signal }) };
  if (!onProgress) return fetcher(url, { ...init, body });
  const streamed = { ...init, body: countedStream(body, onProgress), duplex: 'half' };
  return fetcher(url, streamed);
}

function sendByXhr(upload: Upload, onProgress: Progress): Promise<Response> {
  const { method, url, headers, body, signal } = upload;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'text';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(new TypeError('Failed to upload')));
    request.addEventListener('abort', () => reject(signal?.reason));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (signal?.aborted) reject(signal.reason);
    else request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers({ 'content-type': 'application/octet-stream' });
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // An answer without a body may not even have an empty one.
  const body = request.status === 204 ? null : request.responseText;
  return new Response(body, { status: request.status, headers });
}

function countedStream(body: Bytes, onProgress: Progress): ReadableStream {
  const total = sizeOf(body);
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = body.slice(sent, sent + PIECE_BYTES);
      const bytes = piece instanceof Uint8Array ? piece : new Uint8Array(await piece.arrayBuffer());
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      sent += bytes.byteLength;
      onProgress(sent, total);
      if (sent >= total) controller.close();
    },
  });
}

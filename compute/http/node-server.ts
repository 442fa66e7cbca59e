import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { RequestProps } from '../../edge/http/call.ts';
import type { Serve } from '../../edge/http/service.ts';

interface NodeServerOptions<E> {
  /** Answers requests as a service of the edge does. */
  readonly serve: Serve<E>;
  readonly env: E;
  readonly host: string;
  /** Any free port where it is 0. */
  readonly port: number;
  /** How long a connection may say nothing. */
  readonly headersMs?: number;
  /** Caller as the connection identifies it; without one, the service's guard decides. */
  readonly passedOf?: (request: IncomingMessage) => RequestProps | Promise<RequestProps>;
}

const NO_PROXY =
  'HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** A service on a port of its own. */
export interface NodeServer {
  /** 0 where it listens on none. */
  readonly port: number;
  /** Takes no more connections, lets those under way end for so long, then cuts them. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;
/** For so long a connection may say nothing, or not yet all of its headers. */
const HEADERS_MS = 5_000;
const LOOK_MS = 1_000;
/** Longer than a gateway keeps a connection that it may use again. */
const KEEP_ALIVE_MS = 75_000;

/** @throws the error of the system where the port is taken or the host is not this machine's */
export async function startNodeServer<E>(options: NodeServerOptions<E>): Promise<NodeServer> {
  const { headersMs = HEADERS_MS } = options;
  const limits = {
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, headersMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A body has the time that its size needs, see edge/http/body-pace.ts.
    requestTimeout: 0,
  };
  const server = createServer(limits, listenerOf(options));
  // Nobody is a proxy here, and Node answers nothing by itself.
  server.on('connect', (_, socket) => socket.end(NO_PROXY));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return { port, close: (graceMs = GRACE_MS) => close(server, graceMs) };
}

function listenerOf<E>(options: NodeServerOptions<E>): RequestListener {
  return (incoming, outgoing) => {
    // Whoever hangs up in the middle gets no more.
    answer(options, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function answer<E>(
  { serve, env, passedOf }: NodeServerOptions<E>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const request = requestOf(incoming, gone.signal);
  if (!request) {
    outgoing.writeHead(400).end();
    return;
  }
  const context = {
    props: (await passedOf?.(incoming)) ?? {},
    waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  };
  const { status, headers, body } = await serve(request, env, context);
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  outgoing.writeHead(status);
  // The two declarations of a stream of the web differ, the streams do not.
  if (body) await pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), outgoing);
  else await finished(outgoing.end());
  // An unread body would hold its sender up until the connection is given up.
  if (request.body && !incoming.complete) incoming.destroy();
}

/** No Request can be made with these methods, as pages must not ask with them. */
const FORBIDDEN: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** A request that every service answers with 405, without its headers, which say nothing then. */
const forbiddenRequest = (address: string, method: string): Request =>
  Object.defineProperty(new Request(address), 'method', { value: method });

/** Undefined where it names no host that there could be. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const address = `http://${incoming.headers.host ?? 'localhost'}${url}`;
  if (!URL.canParse(address)) return undefined;
  if (FORBIDDEN.has(method)) return forbiddenRequest(address, method);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init = { method, headers: headersOf(rawHeaders), signal };
  if (!hasBody) return new Request(address, init);
  // Half duplex is what fetch asks for where a body streams; the DOM's types do not know it.
  const body = Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
  return new Request(address, { ...init, body, duplex: 'half' } as RequestInit);
}

function headersOf(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  }
  return headers;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upstream extends AsyncDisposable {
  readonly url: string;
}

/** A service of another make: a plain server of Node. */
export async function startUpstream(handler: Handler): Promise<Upstream> {
  // The gateway keeps connections open, and a server that closes them first loses requests.
  const server: Server = createServer({ keepAliveTimeout: 75_000 }, handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A service that answers every WebSocket message: a text with "echo:" before it, bytes as they are. */
export async function startEcho(): Promise<Upstream> {
  const script = `export default {
    fetch(request) {
      if (request.url.endsWith('/health')) return new Response('well');
      if (request.headers.get('upgrade') !== 'websocket') return new Response(null, { status: 426 });
      const [client, server] = Object.values(new WebSocketPair());
      server.binaryType = 'arraybuffer';
      server.accept();
      server.addEventListener('message', ({ data }) =>
        server.send(typeof data === 'string' ? 'echo:' + data : data));
      server.addEventListener('close', ({ code }) => server.close(code, 'bye'));
      const headers = { 'sec-websocket-protocol': request.headers.get('sec-websocket-protocol') ?? '' };
      return new Response(null, { status: 101, webSocket: client, headers });
    },
  };`;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      workers: [{ name: 'echo', modules: true, script, compatibilityDate: '2026-10-23' }],
    }),
  );
  const url = await miniflare.ready;
  return { url: url.href, [Symbol.asyncDispose]: () => miniflare.dispose() };
}

/** An address where nothing listens. */
export async function closedAddress(): Promise<string> {
  await using upstream = await startUpstream(() => {});
  return upstream.url;
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A service that believes every part it is sent, and may lose or change some. */
export interface PartStore extends AsyncDisposable {
  readonly address: string;
  readonly parts: Map<string, Buffer>;
}

export async function startPartStore(): Promise<PartStore> {
  const parts = new Map<string, Buffer>();
  const server = createServer(async (asked, answer) => {
    const body = await buffer(asked);
    const digest = decodeURIComponent(asked.url?.split('/').at(-1) ?? '');
    if (asked.method === 'POST') {
      const { digests } = JSON.parse(body.toString()) as { digests: string[] };
      const missing = digests.filter((known) => !parts.has(known));
      answer.setHeader('content-type', 'application/json').end(JSON.stringify({ missing }));
    } else if (asked.method === 'PUT') {
      parts.set(digest, body);
      const part = { digest, size_bytes: body.length };
      answer.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(part));
    } else answer.end(parts.get(digest));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    parts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

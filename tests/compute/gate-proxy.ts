import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way to the gateway that can be cut for some of its paths. */
export interface GateProxy extends AsyncDisposable {
  readonly address: string;
  /** Connections for paths that match break off from here on; none do where it is undefined. */
  cut(paths: RegExp | undefined): void;
  /** They do once one has passed. */
  cutAfterOne(paths: RegExp): void;
  /** How many were broken off. */
  refused(): number;
}

export async function startGateProxy(gateway: string): Promise<GateProxy> {
  let away: RegExp | undefined;
  let passing = 0;
  let refused = 0;
  const forward = (asked: IncomingMessage, answer: ServerResponse) => {
    if (away?.test(asked.url ?? '') && --passing < 0) {
      refused += 1;
      asked.socket.destroy();
      return;
    }
    const { method, headers } = asked;
    const onward = request(new URL(asked.url ?? '/', gateway), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    cut: (paths) => {
      [away, passing] = [paths, 0];
    },
    cutAfterOne: (paths) => {
      [away, passing] = [paths, 1];
    },
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

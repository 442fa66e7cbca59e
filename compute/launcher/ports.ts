import { createServer } from 'node:net';
import { OperatorError } from '../process/operator-error.ts';

/** A launcher that was killed frees its ports a moment later. */
const PATIENCE_MS = 1000;
const RETRY_MS = 50;

/** @throws OperatorError naming the first port that cannot be listened on, and what to do */
export async function claimPorts(host: string, ports: readonly number[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (const port of ports) {
    for (;;) {
      const code = await probe(host, port);
      if (code === undefined) break;
      if (code !== 'EADDRINUSE' || performance.now() > deadline) throw refusal(host, port, code);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** The code of the error that listening gives, or undefined where it works. */
function probe(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Another program may take a port between our look and workerd's, or end workerd before it is ready. */
export function asLaunchError(error: unknown, ports: readonly number[]): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_RUNTIME_FAILURE') {
    const reason = error instanceof Error ? error.message : String(error);
    return new OperatorError(`workerd ended before it was ready, try again: ${reason}`);
  }
  if (code !== 'ERR_ADDRESS_IN_USE') return error;
  return new OperatorError(
    `one of the ports ${ports.join(', ')} was taken by another program just now; try again`,
  );
}

function refusal(host: string, port: number, code: string): OperatorError {
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `port ${port} on ${host} is taken by another program; stop it, or choose others with --port-base`,
      );
    case 'EACCES':
      return new OperatorError(
        `port ${port} may not be opened by this user; choose others with --port-base`,
      );
    default:
      return new OperatorError(
        `SERVICE_HOST is "${host}", which this machine cannot listen on (${code})`,
      );
  }
}

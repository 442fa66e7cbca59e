import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether a Redis is installed here: tests that need one are skipped without. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisProcess extends AsyncDisposable {
  /** The value of DISTRIBUTED_WS_REDIS. */
  readonly address: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  revive(): Promise<void>;
}

const PASSWORD = 'p@ss word';

/** A Redis of one's own that asks for a password and keeps nothing. */
export async function startRedis(): Promise<RedisProcess> {
  const port = await freePort();
  let child = await start(port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    address: `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    kill,
    async revive() {
      child = await start(port);
    },
    [Symbol.asyncDispose]: kill,
  };
}

async function start(port: number) {
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn('redis-server', [...options, '--requirepass', PASSWORD], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    if (String(chunk).includes('Ready to accept connections')) break;
  }
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`got ${address}`);
  return address.port;
}

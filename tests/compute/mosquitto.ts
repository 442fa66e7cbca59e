import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Whether mosquitto is installed; on Debian: apt-get install mosquitto. */
export const hasMosquitto = spawnSync('mosquitto', ['-h']).error === undefined;

/** A mosquitto of our own, as people run one. */
export interface Mosquitto extends AsyncDisposable {
  readonly url: string;
}

/** Lets anybody in, or only this user. */
export async function startMosquitto(user?: {
  readonly name: string;
  readonly password: string;
}): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-mosquitto-'));
  const port = await freePort();
  const path = join(folder, 'mosquitto.conf');
  const passwords = join(folder, 'passwords');
  if (user) spawnSync('mosquitto_passwd', ['-c', '-b', passwords, user.name, user.password]);
  const access = user ? `password_file ${passwords}` : 'allow_anonymous true';
  // Where root runs it, it becomes another user otherwise, who may not read the folder.
  const owner = `user ${userInfo().username}`;
  writeFileSync(path, `listener ${port} 127.0.0.1\n${owner}\n${access}\n`);
  const broker = spawn('mosquitto', ['-c', path], { stdio: 'ignore' });
  await untilItListens(port, broker);
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => broker.once('exit', resolve));
      broker.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilItListens(port: number, broker: ChildProcess): Promise<void> {
  while (broker.exitCode === null) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const tell = (is: boolean) => {
        socket.destroy();
        resolve(is);
      };
      socket.once('connect', () => tell(true)).once('error', () => tell(false));
    });
    if (isThere) return;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error(`mosquitto ended with ${broker.exitCode}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

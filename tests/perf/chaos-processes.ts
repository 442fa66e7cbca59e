import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNovel } from '../compute/spikegrid-process.ts';
import { childOf, startTrainer, type TrainerProcess } from '../compute/trainer-process.ts';
import { type GatewayProcess, startGateway } from '../e2e/gateway-process.ts';
import { note } from './report.ts';

/** A process to kill: the platform with its workerd, workerd alone, a trainer, the process of its job. */
export type Victim =
  | { readonly kind: 'platform' }
  | { readonly kind: 'workerd' }
  | { readonly kind: 'trainer' | 'job'; readonly number: number };

/** The real platform and its trainers, each a process that may be killed and is started again. */
export interface Cast {
  readonly gateway: string;
  /** The one text below the data root of all trainers. */
  readonly text: string;
  readonly victims: readonly Victim[];
  /** SIGKILL, and a new process. False where there was nothing to kill at that moment. */
  kill(victim: Victim): boolean;
  /** Waits for what is being started, then ends everything. */
  close(): Promise<void>;
}

const RETRY_MS = 500;

export async function startCast(trainerCount: number): Promise<Cast> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-chaos-'));
  const [data, dashboard] = [join(folder, 'data'), join(folder, 'dashboard')];
  for (const made of [data, dashboard]) mkdirSync(made);
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html><title>spikegrid</title>');
  const text = writeNovel(data, 3);
  const alone = ['--no-trainer', '--no-inference', '--no-plugins'];
  const platform = await startGateway(dashboard, join(folder, 'state'), alone);
  const spawn = (number: number) => {
    const name = `trainer-${number}`;
    return startTrainer({ name, gateway: platform.url, data, output: join(folder, name) });
  };
  const trainers = Array.from({ length: trainerCount }, (_, number) => spawn(number));
  let starting: Promise<void> | undefined;
  // Whoever stops this script in the middle leaves none of them behind.
  process.once('exit', () => {
    for (const trainer of trainers) trainer.signalAll('SIGKILL');
    killProcess(platform.pid);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  function kill(victim: Victim): boolean {
    switch (victim.kind) {
      case 'platform':
        if (starting) return false;
        starting = revive(platform).finally(() => (starting = undefined));
        return true;
      case 'workerd':
        return !starting && killProcess(childOf(platform.pid, /workerd/));
      case 'job':
        return killProcess(trainers[victim.number]?.jobPid());
      case 'trainer':
        trainers[victim.number]?.process.kill('SIGKILL');
        trainers[victim.number] = spawn(victim.number);
        return true;
    }
  }

  return {
    gateway: platform.url,
    text,
    victims: [
      { kind: 'platform' },
      { kind: 'workerd' },
      ...trainers.flatMap((_, number) => [
        { kind: 'trainer' as const, number },
        { kind: 'job' as const, number },
      ]),
    ],
    kill,
    async close() {
      await starting;
      await Promise.all(trainers.map(end));
      await platform.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The ports of a process that was killed may be free a moment later only. */
async function revive(platform: GatewayProcess): Promise<void> {
  await platform.kill();
  for (;;) {
    try {
      return await platform.start();
    } catch (error) {
      note(`the platform did not start: ${String(error)}`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function killProcess(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
    return false;
  }
}

async function end(trainer: TrainerProcess): Promise<void> {
  trainer.process.kill('SIGTERM');
  await trainer.ended();
}

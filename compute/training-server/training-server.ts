import { type Http, openHttp } from '../../edge/contract/client.ts';
import { keyHeaders } from '../cli/gateway-access.ts';
import type { AuthMode } from '../http/peers.ts';
import type { OutwardConnection } from '../outward/connect-outward.ts';
import { type NodeService, startNodeService } from '../service/node-service.ts';
import { probeDevice } from '../trainer/node-facts.ts';
import { createNodeTrainer, type NodeTrainerOptions } from '../trainer/node-trainer.ts';
import type { Context } from './context.ts';
import { SERVICE, trainingServerRoutes } from './service.ts';
import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

interface TrainingServerOptions extends Omit<NodeTrainerOptions, 'trainerId'> {
  readonly host: string;
  /** Any free port where it is 0. */
  readonly port: number;
  readonly authMode: AuthMode;
  /** Listens on nothing and connects to the gateway instead. */
  readonly connect?: boolean | undefined;
}

interface TrainingServer {
  readonly port: number;
  /** Where it listens on nothing: its connection to the gateway. */
  readonly connection: OutwardConnection | undefined;
  readonly trainerId: string;
  /** Settles when it has stopped. @throws ProblemError where its trainer may not train */
  readonly ended: Promise<void>;
  /** Takes no more requests, and leaves what its trainer is at to others, with a checkpoint. */
  stop(): Promise<void>;
}

/**
 * A trainer that also listens for `POST /train`, and trains itself what it accepted there.
 *
 * @throws EngineError where the device cannot be opened, and what listening throws
 */
export async function startTrainingServer(options: TrainingServerOptions): Promise<TrainingServer> {
  const trainerId = await keptTrainerId(options.output);
  const env = await surroundingsOf(options, trainerId);
  const trainer = await createNodeTrainer({ ...options, trainerId });
  const server = await openDoor(options, env).catch(async (error: unknown) => {
    await trainer.stop();
    throw error;
  });
  return {
    port: server.port,
    connection: server.connection,
    trainerId,
    ended: Promise.race([trainer.ended, server.connection?.refused ?? trainer.ended]).finally(() =>
      Promise.all([server.close(), trainer.stop().catch(() => {})]),
    ),
    async stop() {
      await Promise.all([server.close(), trainer.stop()]);
    },
  };
}

async function surroundingsOf(options: TrainingServerOptions, trainerId: string): Promise<Context> {
  const { data, output, name = hostname(), region = null } = options;
  return {
    roots: { data, output },
    trainerId,
    name,
    region,
    device: await probeDevice(options.device),
    training: atGateway(options, 'training'),
  };
}

/** Interval at which metrics are pushed. */
const REPORT_MS = 5000;

function openDoor(options: TrainingServerOptions, env: Context): Promise<NodeService> {
  const { gateway, key, host, port, authMode, connect } = options;
  return startNodeService({
    gateway: gateway.replace(/\/+$/, ''),
    headers: keyHeaders(key),
    host,
    port,
    auth: authMode,
    connect,
    name: SERVICE,
    described: 'training-server',
    env,
    routes: trainingServerRoutes,
    instance: env.trainerId,
    reportMs: REPORT_MS,
  });
}

function atGateway({ gateway, key }: TrainingServerOptions, service: string): Http {
  return openHttp({ base: `${gateway.replace(/\/+$/, '')}/${service}`, headers: keyHeaders(key) });
}

const FILE = '.trainer-id';
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of the trainer behind a server, the same after a restart: jobs in the queue name it. */
async function keptTrainerId(output: string): Promise<string> {
  await mkdir(output, { recursive: true });
  const place = join(output, FILE);
  const kept = await readFile(place, 'utf8').catch(() => '');
  if (/^trn_[0-9A-Z]{26}$/.test(kept)) return kept;
  const digits = Array.from({ length: 26 }, () => DIGITS[randomInt(DIGITS.length)]);
  const id = `trn_${digits.join('')}`;
  await writeFile(place, id);
  return id;
}

import { Command, Option } from 'commander';
import { parseDevice } from '../../engine/index.ts';
import { startInferenceServer } from '../inference/inference-server.ts';
import { gatewayOption, keyHeaders } from './gateway-access.ts';
import { connectOption, countWorkers, workersOption } from './listen-options.ts';
import { wholeFrom } from './numbers.ts';
import { serviceDevice } from './open-device.ts';
import { placeOf, untilStopped } from './until-stopped.ts';

interface ServeOptions {
  readonly gateway: string;
  readonly key?: string;
  readonly host: string;
  readonly port: number;
  readonly auth?: 'local' | 'required';
  readonly connect?: true;
  readonly workers: number;
  readonly cache: number;
  readonly device: string;
  readonly maxBatchSize: number;
  readonly maxQueueDelayUs: number;
  readonly maxQueueSize: number;
  readonly timeoutAction: 'reject' | 'continue';
}

/** How long answers under way may take once the server is asked to stop. */
const GRACE_MS = 10_000;

export function serveCommand(): Command {
  const command = new Command('serve')
    .option('--gateway <url>', 'the gateway', gatewayOption, 'http://127.0.0.1:8000')
    .option('--key <key>', 'a key with registry:read and metrics:write (default: SPIKEGRID_KEY)');
  return settings(command).action(serve);
}

/** An option that a variable of the environment may set. */
const option = (flags: string, description: string, variable: string) =>
  new Option(flags, description).env(variable);

function settings(command: Command): Command {
  return command
    .addOption(
      option('--host <address>', 'address to listen on', 'SERVICE_HOST').default('0.0.0.0'),
    )
    .addOption(
      option('--port <n>', 'port to listen on', 'SERVICE_PORT')
        .default(8002)
        .argParser(wholeFrom(0, 65_535)),
    )
    .addOption(
      option(
        '--auth <mode>',
        '"required" requires a key of every caller; "local" exempts this machine',
        'AUTH_MODE',
      ).choices(['local', 'required']),
    )
    .addOption(connectOption())
    .addOption(workersOption('parallel engines, at most one per processor'))
    .addOption(
      option('--cache <n>', 'models loaded at once', 'MODEL_CACHE_SIZE')
        .default(5)
        .argParser(wholeFrom(1, 1024)),
    )
    .addOption(serviceDevice('cpu, or a device as "train" takes it'))
    .option('--max-batch-size <n>', 'sequences per batch of an engine', wholeFrom(1, 1024), 64)
    .option(
      '--max-queue-delay-us <n>',
      'time an idle engine waits to fill a batch',
      wholeFrom(0, 10_000_000),
      0,
    )
    .option('--max-queue-size <n>', 'maximum queued requests', wholeFrom(0, 100_000), 256)
    .addOption(
      new Option('--timeout-action <action>', 'action for a late request')
        .choices(['reject', 'continue'])
        .default('reject'),
    );
}

async function serve(options: ServeOptions): Promise<void> {
  const device = parseDevice(options.device);
  const { host, port, cache, key, maxBatchSize, maxQueueDelayUs, maxQueueSize } = options;
  const gateway = options.gateway.replace(/\/+$/, '');
  const server = await startInferenceServer({
    gateway,
    host,
    port,
    device,
    headers: keyHeaders(key),
    connect: options.connect,
    auth: options.auth ?? (isLoopback(host) ? 'local' : 'required'),
    workers: countWorkers(options.workers),
    cacheSize: cache,
    batching: {
      maxBatchSize,
      maxQueueDelayUs,
      maxQueueSize,
      timeout_action: options.timeoutAction,
    },
  });
  const place = placeOf(host, server);
  console.error(`serving models of ${gateway} ${place} on ${server.device}; Ctrl-C stops`);
  await untilStopped({
    connection: server.connection,
    farewell: 'stopping: finishing requests under way',
    stop: (isRefused) => server.close(isRefused ? 0 : GRACE_MS),
  });
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

import { Command, InvalidArgumentError, Option } from 'commander';
import { parseDevice } from '../../engine/index.ts';
import type { AuthMode } from '../http/peers.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { startTrainingServer } from '../training-server/training-server.ts';
import { deviceFlagsOf, TRAINER_OUTPUT, type TrainerOptions, trainerOptions } from './trainer.ts';
import { createTrainerReporter } from './trainer-reporter.ts';

interface ServerOptions extends TrainerOptions {
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
}

const PORT = 8101;

export function trainingServerCommand(): Command {
  const command = new Command('training-server')
    .description(
      'Train language models on this machine: a trainer that listens for requests itself.',
    )
    .addOption(
      new Option('--host <address>', 'listen here').env('SERVICE_HOST').default('127.0.0.1'),
    )
    .addOption(
      new Option('--port <n>', 'listen on this port; 0 is any free one')
        .env('SERVICE_PORT')
        .default(PORT)
        .argParser(parsePort),
    );
  command.addOption(
    new Option('--auth <mode>', 'local lets this machine in without a key')
      .choices(['local', 'required'])
      .env('AUTH_MODE')
      .default('local'),
  );
  const described = trainerOptions(command);
  described.options.find(({ long }) => long === '--device')?.env('DEVICE');
  return described.action(serve);
}

/** What DEVICE may say besides the names of backends. */
const KINDS: Readonly<Record<string, string>> = { cpu: 'wasm', gpu: 'webgpu' };

async function serve(options: ServerOptions): Promise<void> {
  const flags = deviceFlagsOf(options);
  const device = { ...flags, device: KINDS[flags.device] ?? flags.device };
  parseDevice(device.device);
  const { gateway, key, data, name, region, host, port, output = TRAINER_OUTPUT } = options;
  const reporter = createTrainerReporter(gateway);
  const server = await startTrainingServer({
    gateway,
    key,
    data,
    output,
    name,
    region,
    host,
    port,
    authMode: options.auth,
    device,
    onState: reporter.show,
  });
  console.error(`listening on http://${host}:${server.port} for trainer ${server.trainerId}`);
  const offSignals = onStopSignal(() => {
    reporter.stopping();
    void server.stop();
  });
  await server.ended.finally(offSignals);
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 2 ** 16) return Number(text);
  throw new InvalidArgumentError('expected a port from 0 to 65535');
}

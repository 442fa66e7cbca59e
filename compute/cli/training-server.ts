import { Command } from 'commander';
import type { AuthMode } from '../http/peers.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { startTrainingServer } from '../training-server/training-server.ts';
import { listenOptions } from './listen-options.ts';
import { deviceFlagsOf, TRAINER_OUTPUT, type TrainerOptions, trainerOptions } from './trainer.ts';
import { createTrainerReporter } from './trainer-reporter.ts';
import { placeOf } from './until-stopped.ts';

interface ServerOptions extends TrainerOptions {
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
  readonly connect?: true;
}

const PORT = 8101;

export function trainingServerCommand(): Command {
  const command = new Command('training-server');
  const described = trainerOptions(listenOptions(command, PORT));
  return described.action(serve);
}

async function serve(options: ServerOptions): Promise<void> {
  const device = deviceFlagsOf(options);
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
    connect: options.connect,
    device,
    onState: reporter.show,
  });
  const place = placeOf(host, server).replace(/^at/, 'listening on');
  console.error(`${place} for trainer ${server.trainerId}`);
  const offSignals = onStopSignal(() => {
    reporter.stopping();
    void server.stop();
  });
  await server.ended.finally(offSignals);
}

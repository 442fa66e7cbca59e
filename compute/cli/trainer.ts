import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { parseDevice } from '../../engine/index.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { TRAINER_SCOPES } from '../../edge/contract/scope.ts';
import { createNodeTrainer } from '../trainer/node-trainer.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { countWorkers, workersOption } from './listen-options.ts';
import { type DeviceFlags, serviceDeviceOptions } from './open-device.ts';
import { createTrainerReporter } from './trainer-reporter.ts';

export interface TrainerOptions extends GatewayOptions, Partial<DeviceFlags> {
  readonly data: string;
  readonly output?: string;
  readonly name?: string;
  readonly region?: string;
  readonly workers: number;
}

/** Results and copies of datasets land here where no `--output` is given: in the checkout, ignored by git. */
export const TRAINER_OUTPUT = fileURLToPath(new URL('../../.spikegrid/trainer/', import.meta.url));

export function trainerCommand(): Command {
  const command = new Command('trainer');
  return trainerOptions(command).action(lend);
}

/** A shared machine: its folders, its name and its device. */
export function trainerOptions(command: Command): Command {
  const described = atGateway(command, TRAINER_SCOPES)
    .requiredOption('--data <dir>', 'root of datasets that jobs name by path')
    .option('--output <dir>', 'folder for results and cached datasets')
    .option('--name <name>', 'display name (default: the name of this machine)')
    .option('--region <id>', 'where it is')
    .addOption(
      workersOption(
        'threads per job on CPUs, at most one per processor; --threads takes precedence',
      ),
    );
  return serviceDeviceOptions(described);
}

async function lend(options: TrainerOptions): Promise<void> {
  const device = deviceFlagsOf(options);
  const { gateway, key, data, name, region, output = TRAINER_OUTPUT } = options;
  const reporter = createTrainerReporter(gateway);
  const trainer = await createNodeTrainer({
    gateway,
    key,
    data,
    output,
    name,
    region,
    device,
    onState: reporter.show,
  });
  const offSignals = onStopSignal(() => {
    reporter.stopping();
    void trainer.stop();
  });
  await trainer.ended.finally(offSignals);
}

/** The device alone, as it is handed to the processes of jobs. */
export function deviceFlagsOf(options: TrainerOptions): DeviceFlags {
  const { gpu, f16, deterministic } = options;
  const device = parseDevice(options.device ?? (gpu || f16 ? 'auto' : 'wasm'));
  const isCounted = options.threads === undefined && device === 'wasm';
  const threads = isCounted ? countWorkers(options.workers) : options.threads;
  return {
    device,
    ...(gpu && { gpu }),
    ...(f16 && { f16 }),
    ...(threads !== undefined && { threads }),
    ...(deterministic && { deterministic }),
  };
}

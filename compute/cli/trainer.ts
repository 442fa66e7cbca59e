import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { parseDevice } from '../../engine/index.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { createNodeTrainer } from '../trainer/node-trainer.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { type DeviceFlags, deviceOptions } from './open-device.ts';
import { createTrainerReporter } from './trainer-reporter.ts';

export interface TrainerOptions extends GatewayOptions, DeviceFlags {
  readonly data: string;
  readonly output?: string;
  readonly name?: string;
  readonly region?: string;
}

/** Results and copies of datasets land here where no `--output` is given: in the checkout, ignored by git. */
export const TRAINER_OUTPUT = fileURLToPath(new URL('../../.spikegrid/trainer/', import.meta.url));

export function trainerCommand(): Command {
  const command = new Command('trainer').description(
    'Lend this machine: train jobs of the platform, one after another, until stopped.',
  );
  return trainerOptions(command).action(lend);
}

/** What lends a machine: its folders, its name and its device. */
export function trainerOptions(command: Command): Command {
  const described = atGateway(command, 'train')
    .requiredOption('--data <dir>', 'datasets that jobs may name by their path below it')
    .option('--output <dir>', 'where results and copies of datasets are kept')
    .option('--name <name>', 'what people see (default: the name of this machine)')
    .option('--region <id>', 'where it is');
  return deviceOptions(described);
}

async function lend(options: TrainerOptions): Promise<void> {
  parseDevice(options.device);
  const { gateway, key, data, name, region, output = TRAINER_OUTPUT } = options;
  const reporter = createTrainerReporter(gateway);
  const trainer = await createNodeTrainer({
    gateway,
    key,
    data,
    output,
    name,
    region,
    device: deviceFlagsOf(options),
    onState: reporter.show,
  });
  const offSignals = onStopSignal(() => {
    reporter.stopping();
    void trainer.stop();
  });
  await trainer.ended.finally(offSignals);
}

/** The device alone, as it is handed to the processes of jobs. */
export function deviceFlagsOf(options: DeviceFlags): DeviceFlags {
  const { device, gpu, f16, threads, deterministic } = options;
  return {
    device,
    ...(gpu && { gpu }),
    ...(f16 && { f16 }),
    ...(threads !== undefined && { threads }),
    ...(deterministic && { deterministic }),
  };
}

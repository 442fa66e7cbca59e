import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import {
  decodeSpikingMlp,
  EngineError,
  MANIFEST,
  NIR_VERSION,
  type NetworkExport,
  type NirExport,
  nirOfNetwork,
  nirOfNeuron,
  parseNeuron,
  nirOfModel,
  nirOfSpikingMlp,
  RESET_RULES,
  unpackModel,
} from '../../engine/index.ts';
import { readNirFile, writeNirFile } from '../nir/nir-file.ts';
import { readNeuronFile } from './neuron-file.ts';
import { describeNir, nirJson } from '../nir/describe-nir.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { loadModelFiles } from './load-model.ts';
import { readDescription } from './network-file.ts';
import { runNir } from './nir-run.ts';
import { numberOption } from './numbers.ts';
import { deviceOptions } from './open-device.ts';

/** The step that snnTorch writes its files with, in seconds. */
const DEFAULT_DT = 1e-4;

export function nirCommand(): Command {
  return new Command('nir')
    .addCommand(
      new Command('inspect')
        .description('Show the nodes, shapes and edges of a file, after checking that they fit.')
        .argument('<file>', 'a NIR file (HDF5)')
        .option('--dt <time>', 'a time step, in the unit of the file', numberOption, DEFAULT_DT)
        .option('--json', 'print JSON')
        .action(inspect),
    )
    .addCommand(runCommand())
    .addCommand(
      atGateway(new Command('export'), 'registry:read')
        .description('Write a model of spiking neurons as a NIR file.')
        .argument(
          '<model>',
          'a run, a checkpoint, a model id[@version|@alias], a JSON file as "simulate" takes it, or a .txt file with the equations of a neuron',
        )
        .argument('<file>', 'the NIR file to write')
        .option('--dt <time>', 'time step for its time constants', numberOption, DEFAULT_DT)
        .action(exportModel),
    );
}

function runCommand(): Command {
  const command = new Command('run')
    .description('Run a network and count the spikes of its outputs.')
    .argument('<file>', 'a NIR file (HDF5)')
    .requiredOption(
      '--input <what>',
      'a constant for every input, or a safetensors file with a tensor for each Input',
    )
    .requiredOption('--steps <n>', 'time steps', numberOption)
    .option('--rows <n>', 'batch size', numberOption, 1)
    .option('--dt <time>', 'a time step, in the unit of the file', numberOption, DEFAULT_DT)
    .addOption(
      new Option('--reset <rule>', 'reset of the membrane by a spike, which NIR does not record')
        .choices([...RESET_RULES])
        .default('value', 'value: it becomes v_reset, as in the equations of NIR'),
    )
    .option('--record <nodes...>', 'further nodes to record')
    .option('--output <file>', 'write the signals to a safetensors file')
    .option('--json', 'print JSON');
  return deviceOptions(command).action(runNir);
}

async function inspect(path: string, options: { dt: number; json?: boolean }): Promise<void> {
  const file = await readNirFile(path);
  if (options.json) console.log(JSON.stringify(nirJson(file, options.dt)));
  else console.log(describeNir(basename(path), file, options.dt));
}

async function exportModel(
  model: string,
  path: string,
  options: GatewayOptions & { dt: number },
): Promise<void> {
  if (existsSync(path)) throw new EngineError('invalid-setting', `${path} is there already`);
  if (!(options.dt > 0)) {
    throw new EngineError('invalid-setting', `--dt is ${options.dt}: expected more than 0`);
  }
  const { graph, steps, reading, dt, reset } = await exportOf(model, options);
  await writeNirFile(path, { version: NIR_VERSION, graph });
  console.log(
    `${path}: ${graph.nodes.size} nodes; run it with --dt ${dt} --reset ${reset} --steps ${steps}`,
  );
  console.log(`input: ${reading}`);
}

/** The graph of a network of the simulator, or of equations, whose time is in ms, or of a model. */
async function exportOf(
  model: string,
  options: GatewayOptions & { dt: number },
): Promise<NetworkExport & { readonly dt: number }> {
  if (model.endsWith('.txt')) {
    const neuron = parseNeuron(readNeuronFile(model));
    return { ...nirOfNeuron(neuron), dt: neuron.dt };
  }
  if (!model.endsWith('.json')) {
    return { ...(await modelExport(model, options)), dt: options.dt, reset: 'delayed' };
  }
  const description = await readDescription(model);
  return { ...nirOfNetwork(description), dt: description.dt };
}

/** The graph of a checkpoint, a registered model, or a lone file of a classifier of the benchmarks. */
async function modelExport(
  model: string,
  options: GatewayOptions & { dt: number },
): Promise<NirExport> {
  const isFile = existsSync(model) && statSync(model).isFile();
  const isLone = isFile && !existsSync(join(dirname(model), MANIFEST));
  if (!isLone) {
    const files = await loadModelFiles(isFile ? dirname(model) : model, options);
    return nirOfModel(unpackModel(files), options.dt);
  }
  const { structure, layout, values } = decodeSpikingMlp(basename(model), await readFile(model));
  return {
    graph: nirOfSpikingMlp(structure, layout, values, options.dt),
    steps: structure.steps,
    reading: 'constant numbers; the class whose output fires most is the prediction',
  };
}

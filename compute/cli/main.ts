import { Command } from 'commander';
import { convertCommand } from './convert.ts';
import { captionCommand } from './caption.ts';
import { generateCommand } from './generate.ts';
import { inspectCommand } from './inspect.ts';
import { dataCommand } from './data.ts';
import { datasetsCommand } from './datasets.ts';
import { jobsCommand } from './jobs.ts';
import { inferCommand } from './infer.ts';
import { keysCommand } from './keys.ts';
import { modelsCommand } from './models.ts';
import { nirCommand } from './nir.ts';
import { pluginHostCommand } from './plugin-host.ts';
import { pluginsCommand } from './plugins.ts';
import { registerCommand } from './register.ts';
import { reportFailure } from './report-failure.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';
import { trainCommand } from './train.ts';
import { trainerCommand } from './trainer.ts';
import { trainingServerCommand } from './training-server.ts';

const program = new Command('spikegrid')
  .description('Train, inspect and use spiking language models.')
  .addCommand(trainCommand())
  .addCommand(generateCommand())
  .addCommand(captionCommand())
  .addCommand(inspectCommand())
  .addCommand(convertCommand())
  .addCommand(dataCommand())
  .addCommand(simulateCommand())
  .addCommand(registerCommand())
  .addCommand(modelsCommand())
  .addCommand(serveCommand())
  .addCommand(inferCommand())
  .addCommand(jobsCommand())
  .addCommand(datasetsCommand())
  .addCommand(trainerCommand())
  .addCommand(trainingServerCommand())
  .addCommand(keysCommand())
  .addCommand(pluginsCommand())
  .addCommand(pluginHostCommand())
  .addCommand(nirCommand());

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
// Dawn keeps threads of its own: without this the process would linger.
process.exit();

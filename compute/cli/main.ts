import { Command } from 'commander';
import { generateCommand } from './generate.ts';
import { inspectCommand } from './inspect.ts';
import { keysCommand } from './keys.ts';
import { registerCommand } from './register.ts';
import { reportFailure } from './report-failure.ts';
import { trainCommand } from './train.ts';

const program = new Command('spikegrid')
  .description('Train, inspect and use spiking language models.')
  .addCommand(trainCommand())
  .addCommand(generateCommand())
  .addCommand(inspectCommand())
  .addCommand(registerCommand())
  .addCommand(keysCommand());

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
// Dawn keeps threads of its own: without this the process would linger.
process.exit();

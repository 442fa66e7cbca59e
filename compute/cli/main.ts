import { guardTerminal } from '../process/terminal.ts';

guardTerminal();

try {
  const { loadProgram } = await import('./program.ts');
  const program = await loadProgram(process.argv[2] === 'help' ? process.argv[3] : process.argv[2]);
  await program.parseAsync();
} catch (error) {
  const { reportFailure } = await import('./report-failure.ts');
  process.exitCode = reportFailure(error);
}
// Dawn keeps threads of its own: without this the process would linger.
process.exit();

import { fileURLToPath } from 'node:url';
import { SECRETS } from '../process/secrets.ts';
import { OperatorError } from '../process/operator-error.ts';
import { HELP, readOptions } from './options.ts';
import { sayWhyItEnds, stopOnSignal } from './signals.ts';

/** `npm start`: the whole platform on this machine, until Ctrl-C. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const ending = sayWhyItEnds();

try {
  const options = readOptions(process.argv.slice(2), process.env, root);
  if (options.kind === 'help') {
    process.stdout.write(HELP);
    ending.isExpected();
  } else {
    // Processes started from here on, workerd too, need none of them in their environment.
    for (const name of SECRETS) delete process.env[name];
    // Only now: what it imports takes a second to load, which a misspelt option need not wait for.
    const { launch } = await import('./launch.ts');
    // Keys, models and memories lie in the state folder: nobody else on this machine reads them.
    process.umask(0o077);
    // The services of this platform listen, also where others of this machine connect outwards.
    delete process.env['SERVICE_CONNECT'];
    const running = await launch(options, root);
    stopOnSignal(() => running.stop(), ending);
    // Last: whoever reads that Ctrl-C stops it may press it at once.
    running.greet();
  }
} catch (error) {
  // Anything else is printed with its stack by Node itself.
  ending.isExpected();
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`spikegrid: ${error.message}\n`);
  process.exit(1);
}

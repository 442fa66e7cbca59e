import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from './launch-error.ts';
import { HIGHEST_OFFSET } from './local-services.ts';

export interface LaunchOptions {
  readonly kind: 'launch';
  readonly host: string;
  readonly portBase: number;
  readonly stateDir: string;
  readonly browser: 'open' | 'leave';
  /** A dashboard that is built already; ours is built from web/ where it is left out. */
  readonly dashboardDir: string | undefined;
}

const HIGHEST_BASE = 65_535 - HIGHEST_OFFSET;

export const HELP = `Usage: npm start -- [options]

Starts the dashboard, the gateway and the model registry on this machine.

  --port-base N     port of the gateway; the others follow it (default 8000)
  --state DIR       where models and files are kept (default .spikegrid in the checkout)
  --dashboard DIR   serve this built dashboard instead of building web/
  --no-open         do not open a browser
  --help            show this text

SERVICE_HOST in the environment is the address to listen on (default 127.0.0.1).
`;

/** @throws LaunchError naming the option, the value and what was expected */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): LaunchOptions | { readonly kind: 'help' } {
  const values = parse(argv);
  if (values.help) return { kind: 'help' };
  return {
    kind: 'launch',
    host: env['SERVICE_HOST'] || '127.0.0.1',
    portBase: parsePortBase(values['port-base'] ?? '8000'),
    stateDir: resolve(root, notEmpty('--state', values.state ?? '.spikegrid')),
    browser: values['no-open'] ? 'leave' : 'open',
    dashboardDir:
      values.dashboard === undefined
        ? undefined
        : resolve(notEmpty('--dashboard', values.dashboard)),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'port-base': { type: 'string' },
        state: { type: 'string' },
        dashboard: { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [what] = String(error instanceof Error ? error.message : error).split('. ');
    throw new LaunchError(`${what}; --help lists the options`);
  }
}

function parsePortBase(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= HIGHEST_BASE) return port;
  throw new LaunchError(
    `--port-base is "${text}", expected a whole number from 1 to ${HIGHEST_BASE}`,
  );
}

function notEmpty(option: string, path: string): string {
  if (path !== '') return path;
  throw new LaunchError(`${option} is empty, expected a folder`);
}

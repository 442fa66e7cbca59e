import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '../process/operator-error.ts';
import { HIGHEST_OFFSET } from './local-services.ts';
import { type LogSettings, readLogSettings } from './log-settings.ts';

export interface LaunchOptions {
  readonly kind: 'launch';
  readonly host: string;
  /** `local`: this machine needs no credentials. `required`: everybody does. */
  readonly auth: 'local' | 'required';
  readonly portBase: number;
  readonly stateDir: string;
  readonly browser: 'open' | 'leave';
  /** A dashboard that is built already; ours is built from web/ where it is left out. */
  readonly dashboardDir: string | undefined;
  /** Whether this machine trains what is submitted. */
  readonly trainer: 'start' | 'leave';
  /** Whether this machine answers from the models of its registry. */
  readonly inference: 'start' | 'leave';
  /** Whether this machine serves plugins. */
  readonly plugins: 'start' | 'leave';
  /** NAME=network of each plugin that may use the network. */
  readonly grants: readonly string[];
  /** Whether this machine runs the project's own tests when asked over HTTP. */
  readonly tests: 'start' | 'leave';
  readonly logs: LogSettings;
  /** Services that others run, by their names at the gateway: UPSTREAMS, as wrangler.toml has it. */
  readonly upstreams: Readonly<Record<string, string>>;
}

const HIGHEST_BASE = 65_535 - HIGHEST_OFFSET;

export const HELP = `Usage: npm start -- [options]

Starts the dashboard, the gateway, the services behind it, an inference server, a trainer and a
plugin host on this machine.

  --port-base N     port of the gateway; the others follow it (default SERVICE_PORT, else 8000)
  --state DIR       where models and files are kept (default .spikegrid in the checkout)
  --dashboard DIR   serve this built dashboard instead of building web/
  --host ADDRESS    address to listen on (default SERVICE_HOST, else 127.0.0.1)
  --auth MODE       "required" asks everybody for a key; "local", the default on an address that
                    only this machine can reach, asks nobody
  --no-trainer      start no trainer; jobs wait for one from elsewhere
  --no-inference    start no inference server; models answer only where one runs elsewhere
  --no-plugins      start no plugin host
  --grant NAME=network
                    let this plugin use the network if it asks; may be repeated
  --no-open         do not open a browser
  --help            show this text

DEVICE=auto (or gpu, cpu: the default) is what the trainer, the inference server and the plugin host
compute on, SERVICE_WORKERS how much they do side by side (default 4); docs/design/environment.md has all variables.
UPSTREAMS='{"inference":"http://127.0.0.1:8002"}' names services that run elsewhere.
DISTRIBUTED_WS_REDIS=redis://host:6379 shares the log with other platforms, DISTRIBUTED_WS_REDIS_QUEUE
is how many messages wait while it is away (default 1000); DISTRIBUTED_WS_SEND_TIMEOUT is in how many
seconds a client of the log stream has to acknowledge a message (default 5).
ENABLE_TEST_ENDPOINT=1 lets who has a key with the scope test:run run the tests of this project;
TEST_TIME_LIMIT=all=1800 gives a run of that type so many seconds (default 300 for each).
`;

/** @throws OperatorError naming the option, the value and what was expected */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): LaunchOptions | { readonly kind: 'help' } {
  const values = parse(argv);
  if (values.help) return { kind: 'help' };
  const host = notEmpty(
    '--host',
    values.host ?? (env['SERVICE_HOST'] || '127.0.0.1'),
    'an address',
  );
  return {
    kind: 'launch',
    host,
    auth: parseAuth(values.auth, host),
    portBase: portBaseOf(values['port-base'], env['SERVICE_PORT'] || undefined),
    stateDir: resolve(root, notEmpty('--state', values.state ?? '.spikegrid')),
    browser: values['no-open'] ? 'leave' : 'open',
    trainer: unless(values['no-trainer']),
    inference: unless(values['no-inference']),
    plugins: unless(values['no-plugins']),
    grants: (values.grant ?? []).map(grantOf),
    tests: unless(env['ENABLE_TEST_ENDPOINT'] !== '1'),
    logs: readLogSettings(env),
    upstreams: readUpstreams(env['UPSTREAMS'] || '{}'),
    dashboardDir:
      values.dashboard === undefined
        ? undefined
        : resolve(notEmpty('--dashboard', values.dashboard)),
  };
}

function grantOf(text: string): string {
  if (/^[A-Za-z][\w-]{0,63}=network$/.test(text)) return text;
  throw new OperatorError(`--grant is "${text}", expected NAME=network`);
}

const unless = (isLeft: boolean | undefined) => (isLeft ? 'leave' : 'start');

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'port-base': { type: 'string' },
        state: { type: 'string' },
        dashboard: { type: 'string' },
        host: { type: 'string' },
        auth: { type: 'string' },
        'no-open': { type: 'boolean' },
        'no-trainer': { type: 'boolean' },
        'no-inference': { type: 'boolean' },
        'no-plugins': { type: 'boolean' },
        grant: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [what] = String(error instanceof Error ? error.message : error).split('. ');
    throw new OperatorError(`${what}; --help lists the options`);
  }
}

/** SERVICE_PORT is the port of what is started; of a whole platform that is its gateway's. */
function portBaseOf(flag: string | undefined, variable: string | undefined): number {
  const text = flag ?? variable ?? '8000';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= HIGHEST_BASE) return port;
  const name = flag === undefined ? 'SERVICE_PORT' : '--port-base';
  throw new OperatorError(
    `${name} is "${text}", expected a whole number from 1 to ${HIGHEST_BASE}`,
  );
}

/** Whoever can reach an open platform can do everything with it, so it is for this machine alone. */
function parseAuth(asked: string | undefined, host: string): LaunchOptions['auth'] {
  const mode = asked ?? (isLoopback(host) ? 'local' : 'required');
  if (mode !== 'local' && mode !== 'required') {
    throw new OperatorError(`--auth is "${mode}", expected "local" or "required"`);
  }
  if (mode === 'required' || isLoopback(host)) return mode;
  throw new OperatorError(
    `--auth is "local", but other machines can reach ${host}; expected --auth required, or --host 127.0.0.1`,
  );
}

const isAddress = (url: unknown) => /^https?:$/.test(URL.parse(String(url))?.protocol ?? '');

function readUpstreams(text: string): Readonly<Record<string, string>> {
  const wanted = '{"name":"http://host:port"}';
  const refusal = new OperatorError(`UPSTREAMS is "${text}", expected JSON such as ${wanted}`);
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null || Array.isArray(found)) throw refusal;
    if (!Object.values(found).every(isAddress)) throw refusal;
    return found as Readonly<Record<string, string>>;
  } catch {
    throw refusal;
  }
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

function notEmpty(option: string, value: string, expected = 'a folder'): string {
  if (value !== '') return value;
  throw new OperatorError(`${option} is empty, expected ${expected}`);
}

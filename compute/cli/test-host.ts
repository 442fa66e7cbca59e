import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { TestType } from '../../edge/test-runs/contract/test-run.ts';
import { MAX_TIME_LIMIT_S } from '../../edge/test-runs/endpoints.ts';
import type { AuthMode } from '../http/peers.ts';
import { projectSuites } from '../test-host/suites.ts';
import { limitsOf, TestHost, TIME_LIMIT_MS } from '../test-host/test-host.ts';
import { atGateway, type GatewayOptions, keyHeaders } from './gateway-access.ts';
import { listenOptions } from './listen-options.ts';
import { wholeUpTo } from './numbers.ts';
import { placeOf, untilStopped } from './until-stopped.ts';

interface HostOptions extends GatewayOptions {
  readonly runs: string;
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
  readonly connect?: true;
  readonly timeLimit: Limits;
}

const PORT = 8006;

export function testHostCommand(): Command {
  return listenOptions(atGateway(new Command('test-host'), 'admin'), PORT)
    .option('--runs <dir>', 'folder of recent runs', '.spikegrid/test-runs')
    .addOption(
      new Option(
        '--time-limit <s>',
        'time limit of a run in seconds, or per type as in 300,all=1800',
      )
        .env('TEST_TIME_LIMIT')
        .default(limitsOf(TIME_LIMIT_MS), String(TIME_LIMIT_MS / 1000))
        .argParser(parseLimits),
    )
    .action(serve);
}

type Limits = ReturnType<typeof limitsOf>;

/** Seconds for every type, and a type with its own: `600`, `all=1800` or `300,all=1800`. */
export function parseLimits(text: string): Limits {
  const seconds = wholeUpTo(MAX_TIME_LIMIT_S);
  let every = TIME_LIMIT_MS;
  const own: Partial<Record<TestType, number>> = {};
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const ms = seconds(part.slice(at + 1)) * 1000;
    const type = TestType.safeParse(part.slice(0, Math.max(0, at)));
    if (at < 0) every = ms;
    else if (type.success) own[type.data] = ms;
    else throw new InvalidArgumentError(`got "${part}", expected unit, integration or all.`);
  }
  return limitsOf(every, own);
}

async function serve(options: HostOptions): Promise<void> {
  const { gateway, key, runs, timeLimit, ...place } = options;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const isEnabled = process.env['ENABLE_TEST_ENDPOINT'] === '1';
  const host = new TestHost({
    ...place,
    gateway: gateway.replace(/\/+$/, ''),
    headers: keyHeaders(key),
    isEnabled,
    suites: projectSuites(root),
    root,
    folder: resolve(runs),
    timeLimitsMs: timeLimit,
  });
  await host.start();
  const state = isEnabled ? 'ready' : 'disabled: ENABLE_TEST_ENDPOINT is not 1';
  const { port = 0, connection } = host;
  console.error(`tests ${placeOf(options.host, { port, connection })} (${state}); Ctrl-C stops`);
  await untilStopped({
    connection,
    farewell: 'stopping: leaves the gateway first',
    stop: (isRefused) => host.stop(isRefused ? 0 : undefined),
  });
}

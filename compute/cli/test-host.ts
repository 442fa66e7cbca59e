import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { MAX_TIME_LIMIT_S } from '../../edge/contract/test-run/test-run-endpoints.ts';
import type { AuthMode } from '../http/peers.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { projectSuites } from '../test-host/suites.ts';
import { TestHost, TIME_LIMIT_MS } from '../test-host/test-host.ts';
import { atGateway, type GatewayOptions, keyHeaders } from './gateway-access.ts';
import { listenOptions } from './listen-options.ts';
import { wholeUpTo } from './numbers.ts';

interface HostOptions extends GatewayOptions {
  readonly runs: string;
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
  readonly timeLimit: number;
}

const PORT = 8006;

export function testHostCommand(): Command {
  return listenOptions(atGateway(new Command('test-host'), 'admin'), PORT)
    .description(
      'Run the tests of this project when asked over HTTP; only with ENABLE_TEST_ENDPOINT=1.',
    )
    .option('--runs <dir>', 'where the last runs are kept', '.spikegrid/test-runs')
    .option(
      '--time-limit <s>',
      'when a run is ended',
      wholeUpTo(MAX_TIME_LIMIT_S),
      TIME_LIMIT_MS / 1000,
    )
    .action(serve);
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
    timeLimitMs: timeLimit * 1000,
  });
  await host.start();
  const state = isEnabled ? 'ready' : 'switched off: ENABLE_TEST_ENDPOINT is not 1';
  console.error(`tests at http://${options.host}:${host.port} (${state}); Ctrl-C stops`);
  await new Promise<void>((resolveStop) => {
    onStopSignal(() => {
      console.error('stopping: leaves the gateway first');
      void host.stop().finally(resolveStop);
    });
  });
}

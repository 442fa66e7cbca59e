import { Command } from 'commander';
import { DEFAULT_NAMESPACE } from '../../edge/discovery/endpoints.ts';
import { DiscoveryService } from '../discovery/discovery-service.ts';
import type { AuthMode } from '../http/peers.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { listenOptions } from './listen-options.ts';
import { brokerOption, gatewayOption, keyHeaders } from './gateway-access.ts';

interface DiscoveryOptions {
  readonly broker: string;
  readonly namespace: string;
  readonly region: string;
  readonly gateway: string;
  readonly key?: string;
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
}

const PORT = 8006;

export function discoveryCommand(): Command {
  return listenOptions(new Command('discovery'), PORT)
    .addOption(brokerOption().makeOptionMandatory())
    .option('--namespace <name>', 'namespace of the brain on that broker', DEFAULT_NAMESPACE)
    .option('--region <id>', 'region of nodes that do not state one', 'local')
    .option('--gateway <url>', 'the gateway', gatewayOption, 'http://127.0.0.1:8000')
    .option('--key <key>', 'a key with the scope admin (default: SPIKEGRID_KEY)')
    .action(serve);
}

async function serve({ gateway, key, ...options }: DiscoveryOptions): Promise<void> {
  const service = new DiscoveryService({
    ...options,
    gateway: gateway.replace(/\/+$/, ''),
    headers: keyHeaders(key),
  });
  await service.start();
  const fault = service.registrationFault;
  console.error(`node discovery at http://${options.host}:${service.port}; Ctrl-C stops`);
  if (fault !== undefined) console.error(`the gateway does not know it yet: ${fault}`);
  await new Promise<void>((resolve) => {
    onStopSignal(() => {
      console.error('stopping: leaves the gateway first');
      void service.stop().finally(resolve);
    });
  });
}

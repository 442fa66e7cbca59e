import { Command } from 'commander';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/access/contract/api-key.ts';
import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import type { KeyRecord } from '../../edge/access/contract/keys.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { durationOption, scopesOption } from './keys-options.ts';

type CreateOptions = GatewayOptions & {
  readonly name: string;
  readonly scopes: ReturnType<typeof scopesOption>;
  readonly expires?: number;
  readonly team?: string;
};

export function keysCommand(): Command {
  return new Command('keys')
    .addCommand(createCommand())
    .addCommand(
      atGateway(new Command('list'), 'admin')
        .description('List the keys, without their secrets.')
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(
      atGateway(new Command('revoke'), 'admin')
        .description('Revoke a key and its sessions immediately.')
        .argument('<id>', 'its id in "keys list"')
        .action(revoke),
    )
    .addCommand(
      new Command('bootstrap')
        .description('Create the first key of a deployment, offline.')
        .action(bootstrap),
    );
}

function createCommand(): Command {
  return atGateway(new Command('create'), 'admin')
    .description('Create a key. It is written to standard output and never shown again.')
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption(
      '--scopes <list>',
      'comma-separated scopes, such as infer,registry:read',
      scopesOption,
    )
    .option('--team <team>', 'team of the key (default: yours)')
    .option('--expires <time>', 'lifetime, such as 12h or 30d (default: unlimited)', durationOption)
    .action(create);
}

async function create({ name, scopes, team, expires, ...options }: CreateOptions): Promise<void> {
  const body = {
    name,
    scopes,
    ...(team !== undefined && { team }),
    ...(expires !== undefined && { expires_in_s: expires }),
  };
  const answer = await callEndpoint(openGateway(options), accessEndpoints.createKey, { body });
  const { key, ...record } = answer.body;
  console.error(`made ${describe(record)}`);
  console.log(key);
}

async function list({ json, ...options }: GatewayOptions & { json?: true }): Promise<void> {
  for await (const record of allKeys(openGateway(options))) {
    console.log(json ? JSON.stringify(record) : describe(record));
  }
}

async function* allKeys(http: Http): AsyncGenerator<KeyRecord> {
  let cursor: string | undefined;
  do {
    const { body } = await callEndpoint(http, accessEndpoints.listKeys, { query: { cursor } });
    yield* body.keys;
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function revoke(id: string, options: GatewayOptions): Promise<void> {
  const { body } = await callEndpoint(openGateway(options), accessEndpoints.revokeKey, {
    params: { id },
  });
  console.error(`revoked ${describe(body)}`);
}

async function bootstrap(): Promise<void> {
  const key = createApiKey();
  console.error('The key. Store it safely: it cannot be recovered.');
  console.log(formatApiKey(key));
  console.error('\nThe setting BOOTSTRAP_KEY of the deployment:');
  console.error(`${key.id}:${await hashSecret(key.secret)}`);
}

function describe({ key_id, status, name, team, scopes, expires_at }: KeyRecord): string {
  const end = expires_at === null ? '' : `  until ${expires_at}`;
  return `${key_id}  ${status.padEnd(7)}  ${name}  ${team}  ${scopes.join(',')}${end}`;
}

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
    .description('Make, list and revoke API keys.')
    .addCommand(createCommand())
    .addCommand(
      atGateway(new Command('list'), 'admin')
        .description('List the keys, without their secrets.')
        .option('--json', 'one JSON object a line')
        .action(list),
    )
    .addCommand(
      atGateway(new Command('revoke'), 'admin')
        .description('End a key and its sessions at once.')
        .argument('<id>', 'the id, as "keys list" shows it')
        .action(revoke),
    )
    .addCommand(
      new Command('bootstrap')
        .description('Make the first key of a deployment; nothing is asked or sent.')
        .action(bootstrap),
    );
}

function createCommand(): Command {
  return atGateway(new Command('create'), 'admin')
    .description('Make a key. It is written to standard output, and never shown again.')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <list>', 'what it may do, such as infer,registry:read', scopesOption)
    .option('--team <team>', 'the team it belongs to; yours if left out')
    .option(
      '--expires <time>',
      'when it ends, such as 12h or 30d; never if left out',
      durationOption,
    )
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
  console.error('The key. Keep it: nobody else has it.');
  console.log(formatApiKey(key));
  console.error('\nThe setting BOOTSTRAP_KEY of the deployment:');
  console.error(`${key.id}:${await hashSecret(key.secret)}`);
}

function describe({ key_id, status, name, team, scopes, expires_at }: KeyRecord): string {
  const end = expires_at === null ? '' : `  until ${expires_at}`;
  return `${key_id}  ${status.padEnd(7)}  ${name}  ${team}  ${scopes.join(',')}${end}`;
}

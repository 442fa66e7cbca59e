import { Command } from 'commander';
import { callEndpoint } from '../../edge/contract/client.ts';
import { logEndpoints } from '../../edge/logs/endpoints.ts';
import type {
  LogLevel,
  LogMessage,
  NewLogMessageInput,
} from '../../edge/logs/contract/log-message.ts';
import { filtered, type FilterOptions, levelOption } from './logs-options.ts';
import { followLogs } from './logs-tail.ts';
import { printable } from '../process/terminal.ts';
import { describeLog } from './logs-text.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { numberOption, objectOption } from './numbers.ts';

export function logsCommand(): Command {
  return new Command('logs')
    .addCommand(
      filtered(new Command('tail'))
        .description('Follow messages live; after a lost connection, resume after the last one.')
        .option('-n, --lines <n>', 'start with this many of the latest', numberOption, 10)
        .option('--count <n>', 'exit after this many messages', numberOption)
        .action(followLogs),
    )
    .addCommand(
      filtered(new Command('search'))
        .description('Search retained messages, latest first.')
        .argument('[text]', 'text in the message, event, source, trace or data')
        .option('--trace <id>', 'of this trace')
        .option('--from <time>', 'earliest time, such as 2026-11-20T10:00:00Z')
        .option('--to <time>', 'latest time (exclusive)')
        .option('--limit <n>', 'maximum number of results', numberOption, 50)
        .action(search),
    )
    .addCommand(publishCommand());
}

function publishCommand(): Command {
  return atGateway(new Command('publish'), 'logs:write')
    .description('Publish a message.')
    .argument('<message>', 'what happened')
    .addOption(levelOption('how bad it is').default('info'))
    .option('--source <name>', 'source of the message (default: the key)')
    .option('--module-type <type>', 'the kind of node, such as lang-main')
    .option('--event <name>', 'machine-readable event name')
    .option('--data <json>', 'further members as a JSON object', objectOption)
    .option('--trace <id>', 'trace id of the message')
    .action(publish);
}

interface SearchOptions extends FilterOptions {
  readonly trace?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

async function search(text: string | undefined, options: SearchOptions): Promise<void> {
  let left = options.limit;
  for await (const log of found(text, options)) {
    if (left === 0) return;
    left -= 1;
    console.log(options.json ? printable(JSON.stringify(log)) : describeLog(log));
  }
}

const PAGE = 100;

async function* found(
  text: string | undefined,
  { level, source, moduleType, trace, from, to, limit, ...access }: SearchOptions,
): AsyncGenerator<LogMessage> {
  const http = openGateway(access);
  const filters = { text, level, source, module_type: moduleType, trace_id: trace, from, to };
  let cursor: string | undefined;
  do {
    const query = { ...filters, limit: Math.min(limit, PAGE), cursor };
    const { body } = await callEndpoint(http, logEndpoints.searchLogs, { query });
    yield* body.logs;
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

interface PublishOptions extends GatewayOptions {
  readonly level: LogLevel;
  readonly source?: string;
  readonly moduleType?: string;
  readonly event?: string;
  readonly data?: Record<string, unknown>;
  readonly trace?: string;
}

async function publish(message: string, options: PublishOptions): Promise<void> {
  const { level, source, moduleType, event, data, trace } = options;
  const body: NewLogMessageInput = {
    message,
    level,
    ...(source !== undefined && { source }),
    ...(moduleType !== undefined && { module_type: moduleType }),
    ...(event !== undefined && { event }),
    ...(data && { data }),
    ...(trace !== undefined && { trace_id: trace }),
  };
  const answer = await callEndpoint(openGateway(options), logEndpoints.publishLog, { body });
  const { id, seq, delivered, dropped } = answer.body;
  console.error(`published as ${id}, number ${seq}: ${delivered} clients, ${dropped} dropped`);
}

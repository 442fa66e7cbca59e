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
    .description('Follow, search and publish the log of the distributed brain.')
    .addCommand(
      filtered(new Command('tail'))
        .description(
          'Show messages as they come; where the connection breaks, it goes on after the last.',
        )
        .option('-n, --lines <n>', 'begin with so many of the latest', numberOption, 10)
        .option('--count <n>', 'end after so many messages', numberOption)
        .action(followLogs),
    )
    .addCommand(
      filtered(new Command('search'))
        .description('Find kept messages, the latest first.')
        .argument('[text]', 'in the message, event, source, trace or data')
        .option('--trace <id>', 'of this trace')
        .option('--from <time>', 'not before, such as 2026-11-20T10:00:00Z')
        .option('--to <time>', 'before this time')
        .option('--limit <n>', 'at most so many', numberOption, 50)
        .action(search),
    )
    .addCommand(publishCommand());
}

function publishCommand(): Command {
  return atGateway(new Command('publish'), 'logs:write')
    .description('Publish a message.')
    .argument('<message>', 'what happened')
    .addOption(levelOption('how bad it is').default('info'))
    .option('--source <name>', 'who says it (default: the key)')
    .option('--module-type <type>', 'the kind of node, such as lang-main')
    .option('--event <name>', 'what happened, in a word for programs')
    .option('--data <json>', 'an object with more', objectOption)
    .option('--trace <id>', 'the trace it belongs to')
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

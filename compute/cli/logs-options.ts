import { type Command, Option } from 'commander';
import { LogLevel } from '../../edge/logs/contract/log-message.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';

/** Which messages are meant, as commander parses it. */
export interface FilterOptions extends GatewayOptions {
  readonly level?: LogLevel;
  readonly source?: readonly string[];
  readonly moduleType?: readonly string[];
  readonly json?: true;
}

export const levelOption = (description: string): Option =>
  new Option('--level <level>', description).choices(LogLevel.options);

const repeated = (text: string, before: readonly string[] = []) => [...before, text];

/** The options of a command about some of the messages. */
export const filtered = (command: Command): Command =>
  atGateway(command, 'logs:read')
    .addOption(levelOption('this level and above'))
    .option('--source <name>', 'only this source; may be repeated', repeated)
    .option('--module-type <type>', 'only this kind of node; may be repeated', repeated)
    .option('--json', 'one JSON object per line');

import type { LogGap } from '../../edge/logs/contract/log-frames.ts';
import type { LogMessage } from '../../edge/logs/contract/log-message.ts';
import { printable } from '../process/terminal.ts';

/** A message in one line. */
export function describeLog({
  timestamp,
  level,
  source,
  event,
  message,
  data,
}: LogMessage): string {
  const more = [event, data && JSON.stringify(data)].filter(Boolean).join(' ');
  return printable(`${timestamp}  ${level.padEnd(8)}  ${source}  ${message}${more && `  ${more}`}`);
}

export function describeGap({ from_seq: from, to_seq: to, dropped }: LogGap): string {
  const count = dropped === null ? 'an unknown number of messages' : `${dropped} messages`;
  return `-- ${count} between the numbers ${from} and ${to} did not come --`;
}

import type { LogGap } from '../../edge/contract/logs/log-frames.ts';
import type { LogMessage } from '../../edge/contract/logs/log-message.ts';

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

/** Text of others in one line: a control character would speak to the terminal, or look like a line of ours. */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function describeGap({ from_seq: from, to_seq: to, dropped }: LogGap): string {
  const count = dropped === null ? 'an unknown number of messages' : `${dropped} messages`;
  return `-- ${count} between the numbers ${from} and ${to} did not come --`;
}

import { Command, Option } from 'commander';
import { followEvents } from '../../edge/events/contract/follow-events.ts';
import {
  type EventGap,
  EventType,
  type PlatformEvent,
} from '../../edge/events/contract/platform-event.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { numberOption } from './numbers.ts';
import { writeLine } from './write-line.ts';

interface EventsOptions extends GatewayOptions {
  readonly type?: readonly EventType[];
  readonly lines: number;
  readonly count?: number;
  readonly json?: true;
}

export function eventsCommand(): Command {
  return atGateway(new Command('events'), 'to read the resources of the events')
    .addOption(new Option('--type <types...>', 'only these types').choices(EventType.options))
    .option('-n, --lines <n>', 'start with this many of the latest', numberOption, 10)
    .option('--count <n>', 'exit after this many events', numberOption)
    .option('--json', 'one JSON object per line')
    .action(showEvents);
}

async function showEvents({ type, lines, count = Infinity, json, ...access }: EventsOptions) {
  let left = count;
  const events = followEvents(openGateway(access), {
    types: type,
    tail: lines,
    lost: (ms) => console.error(`the stream is gone; again in ${(ms / 1000).toFixed(1)} s`),
  });
  for await (const item of events) {
    if (json) await writeLine(JSON.stringify(item));
    else if (item.type === 'gap') console.error(describeGap(item));
    else await writeLine(describeEvent(item));
    if (item.type !== 'gap') left -= 1;
    if (left <= 0) return;
  }
}

function describeEvent({ time, type, subject, data }: PlatformEvent): string {
  return `${time}  ${type.padEnd(17)}  ${subject}  ${JSON.stringify(data)}`;
}

const describeGap = ({ event_type: type, from_seq: from, to_seq: to }: EventGap): string =>
  `-- ${type}: what came between the numbers ${from} and ${to} is not kept any more --`;

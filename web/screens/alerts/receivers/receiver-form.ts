import type { NewReceiverInput } from '../../../../edge/alerts/contract/alert-receiver.ts';
import type { EventType } from '../../../../edge/events/contract/platform-event.ts';

/** What is written about a new receiver. */
export interface ReceiverForm {
  readonly name: string;
  readonly url: string;
  /** Whether it is told, too, that an alert is over. */
  readonly resolved: 'on' | 'off';
  /** What it is told beside alerts. */
  readonly events: readonly EventType[];
}

export const EMPTY_RECEIVER: ReceiverForm = { name: '', url: '', resolved: 'on', events: [] };

export const isAddress = (written: string): boolean =>
  /^https?:$/.test(URL.parse(written)?.protocol ?? '');

/** The receiver as it is asked for; undefined while something is missing. */
export function receiverOf({
  name,
  url,
  resolved,
  events,
}: ReceiverForm): NewReceiverInput | undefined {
  if (name.trim() === '' || !isAddress(url)) return undefined;
  return { name, url, send_resolved: resolved === 'on', events: [...events] };
}

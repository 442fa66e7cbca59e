import { missingScope } from '../http/refusals.ts';
import { EVENT_SCOPES, EventType } from './contract/platform-event.ts';
import { allows, type Caller } from '../http/caller.ts';

/**
 * The requested event types, or by default all that the caller may see.
 *
 * @throws Problem forbidden where it may not see a requested type, or none at all
 */
export function visibleEventTypes(
  caller: Caller,
  asked: readonly EventType[] | undefined,
): readonly EventType[] {
  const maySee = (type: EventType) => allows(caller, EVENT_SCOPES[type]);
  const types = asked ?? EventType.options.filter(maySee);
  const hidden = types.length === 0 ? 'job.status' : types.find((type) => !maySee(type));
  if (hidden) throw missingScope(EVENT_SCOPES[hidden]);
  return types;
}

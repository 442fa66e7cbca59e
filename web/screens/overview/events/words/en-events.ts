import { createScreenText, type ScreenText } from '../../../../i18n/screen-text.ts';
import { jaEvents } from './ja-events.ts';

/** English texts of the overview's events. */
export const enEvents = {
  'events.none': 'Nothing has happened yet',
  'events.noneHelp': 'Events of jobs, models, alerts, regions, failovers and nodes appear here.',
  'link.connecting': 'Connecting …',
  'link.live': 'Live',
  'link.lost': 'Reconnecting',
  'link.over': 'Ended',
  'link.refused': 'Not available',

  'about.job': 'Job',
  'about.model': 'Model',
  'about.alert': 'Alert',
  'about.region': 'Region',
  'about.failover': 'Failover',
  'about.node': 'Node',

  'job.queued': '{job} waits for a trainer',
  'job.validating': 'The dataset of {job} is checked',
  'job.running': '{job} trains',
  'job.recovering': '{job} lost a trainer and recovers',
  'job.cancelling': '{job} is being cancelled',
  'job.succeeded': '{job} succeeded',
  'job.failed': '{job} failed',
  'job.cancelled': '{job} was cancelled',
  'model.registered': 'Version {version} of {model} is registered',
  'model.ready': 'Version {version} of {model} has all of its files',
  'alias.set': 'Alias {alias} of {model} means version {to}',
  'alias.moved': 'Alias {alias} of {model} moved from version {from} to {to}',
  'alias.removed': 'Alias {alias} of {model} is removed',
  'alert.firing': '{alert} fires',
  'alert.resolved': '{alert} is over',
  'region.online': '{region} is online',
  'region.offline': '{region} is offline',
  'region.degraded': '{region} is degraded',
  'region.maintenance': '{region} is in maintenance',
  'region.unknown': 'How {region} is, is not known',
  'failover.made': '{to} took over from {from}',
  'failover.failed': 'No region could take over from {from}',
  'node.joined': '{node} ({module}) joined {region}',
  'node.active': '{node} is well again',
  'node.inactive': '{node} is gone',
  'node.error': '{node} is in error',
  'node.forgotten': '{node} is forgotten',
  'event.other': '{subject} changed',
} as const;

export type EventsText = ScreenText<typeof enEvents>;

/** Everything that the overview says of events. */
export const useEventsText = createScreenText<typeof enEvents>({ en: enEvents, ja: jaEvents });

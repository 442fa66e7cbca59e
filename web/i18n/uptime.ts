import type { Text } from './text.ts';

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;

/** How long something has run, in its two largest units: 3 h 12 min. */
export function uptimeText({ t }: Text, uptimeSeconds: number): string {
  const whole = Math.floor(uptimeSeconds);
  const days = Math.floor(whole / DAY_S);
  const hours = Math.floor((whole % DAY_S) / HOUR_S);
  const minutes = Math.floor((whole % HOUR_S) / MINUTE_S);
  if (days > 0) return t('uptime.days', { days, hours });
  if (hours > 0) return t('uptime.hours', { hours, minutes });
  const seconds = whole % MINUTE_S;
  if (minutes > 0) return t('uptime.minutes', { minutes, seconds });
  return t('uptime.seconds', { seconds });
}

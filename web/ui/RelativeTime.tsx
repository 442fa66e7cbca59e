import { useText } from '../i18n/text-context.ts';
import { useNow } from './use-now.ts';

const REFRESH_MS = 10_000;

interface RelativeTimeProps {
  /** ISO 8601. */
  readonly time: string;
}

/** "3 minutes ago", with the whole date on hover. */
export function RelativeTime({ time }: RelativeTimeProps) {
  const { format } = useText();
  const now = useNow(REFRESH_MS);
  const date = new Date(time);
  // A clock a little behind the server's must not say "in 2 seconds".
  const then = new Date(Math.min(date.getTime(), now));
  return (
    <time dateTime={time} title={format.dateTime(date)}>
      {format.relative(then, new Date(now))}
    </time>
  );
}

import { useEffect, useMemo, useState } from 'react';
import type { LogFilter } from '../../../edge/logs/contract/log-filter.ts';
import { openLogStream, type LogStreamState } from '../../../edge/logs/contract/log-stream.ts';
import { serviceHttp } from '../../api/service-http.ts';
import { LogBuffer } from './log-buffer.ts';

/** As many lines are kept; the list begins with some of those that were there before. */
const CAPACITY = 10_000;
const TAIL = 1_000;

const http = serviceHttp('');

/** The log as it comes, while the screen is there; another filter begins anew. */
export function useLogStream(filter: LogFilter) {
  const key = JSON.stringify(filter);
  const feed = useMemo(() => createFeed(JSON.parse(key) as LogFilter), [key]);
  const [state, setState] = useState<LogStreamState>({ status: 'connecting' });
  useEffect(() => feed.follow(setState), [feed]);
  return { buffer: feed.buffer, state };
}

function createFeed(filter: LogFilter) {
  const buffer = new LogBuffer(CAPACITY);
  return {
    buffer,
    follow(changed: (state: LogStreamState) => void): () => void {
      const stream = openLogStream({
        http,
        origin: location.origin,
        filter,
        tail: TAIL,
        take: (items) => buffer.push(items),
        changed,
      });
      return () => stream.close();
    },
  };
}

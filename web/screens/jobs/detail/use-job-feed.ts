import { useEffect, useMemo } from 'react';
import { openJobStream, readSeries } from '../../../api/training.ts';
import { createJobFeed, type JobFeed } from './job-feed.ts';

/** The feed of a seat of a job, followed while the screen is there. */
export function useJobFeed(id: string, seat: number): JobFeed {
  const feed = useMemo(
    () =>
      createJobFeed(seat, {
        open: (after, signal) => openJobStream(id, after, signal),
        series: (signal) => readSeries(id, seat, signal),
      }),
    [id, seat],
  );
  useEffect(() => feed.follow(), [feed]);
  return feed;
}

import { useEffect, useState } from 'react';
import { openJobStream, readSeries } from '../../../api/training.ts';
import { createJobFeed, type JobFeed } from './job-feed.ts';

/** The feed of a seat of a job, open while the screen is. */
export function useJobFeed(id: string, seat: number): JobFeed | undefined {
  const [feed, setFeed] = useState<JobFeed>();
  useEffect(() => {
    const opened = createJobFeed(seat, {
      open: (after, signal) => openJobStream(id, after, signal),
      series: (signal) => readSeries(id, seat, signal),
    });
    setFeed(opened);
    return opened.close;
  }, [id, seat]);
  return feed;
}

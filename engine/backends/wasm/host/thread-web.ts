import { serve, type ThreadTask } from '../thread.ts';

addEventListener(
  'message',
  ({ data }: MessageEvent<ThreadTask>) => serve(data, () => postMessage('ready')),
  {
    once: true,
  },
);

import { TestRun, type TestRunDetails } from '../../edge/test-runs/contract/test-run.ts';
import type { BegunRun } from './test-scheduler.ts';

/** Where nothing comes for so long, a comment says that the stream is alive. */
const PING_MS = 15_000;
const PING = ': the tests run\n\n';

const encoder = new TextEncoder();
const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A run's output as server-sent events: what there is, what comes, and the run once it has ended. */
export function followOutput({ log, ended }: BegunRun, after: number): ReadableStream<Uint8Array> {
  let place = after;
  const take = (): string => {
    const { pieces, seq, dropped } = log.since(place);
    place = seq;
    const gap = dropped > 0 ? frame('gap', { dropped }) : '';
    // All pieces of a turn have the place of the last: whoever comes again has them all.
    return gap + pieces.map((piece) => frame('output', piece, seq)).join('');
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const changed = log.changed();
        const text = take();
        if (text !== '') return send(text);
        if (log.isClosed) {
          send(frame('done', TestRun.parse(await ended)));
          return controller.close();
        }
        if (!(await isWithin(changed, PING_MS))) send(PING);
        else send(take());
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same for a run that ended before. */
export function replayOutput(run: TestRunDetails): string {
  const pieces = (['stdout', 'stderr'] as const)
    .filter((stream) => run[stream] !== '')
    .map((stream) => frame('output', { stream, text: run[stream] }));
  return [...pieces, frame('done', TestRun.parse(run))].join('');
}

async function isWithin(event: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const isInTime = await Promise.race([event.then(() => true), late.promise]);
  clearTimeout(timer);
  return isInTime;
}

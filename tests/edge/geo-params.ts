import { expect } from 'vitest';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';

/** Parameters of calls about a region. */
export const ofRegion = (region_id: string) => ({ params: { region_id } });

/** Parameters of calls about a node. */
export const ofNode = (node_id: string) => ({ params: { node_id } });

/** The code that a call is refused with. */
export async function codeOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return (error as ProblemError).code;
}

/** The events after a number, as a stream. */
export async function openGeoEvents(url: URL, after: number) {
  const answer = await fetch(url, {
    headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
  });
  const events = readEvents(answer);
  return {
    next: async () => (await events.next()).value ?? undefined,
    [Symbol.asyncDispose]: async () => void (await events.return(undefined)),
  };
}

import { Problem } from '../http/problem.ts';

const shown = (id: string): string => JSON.stringify(id.slice(0, 128));

export const regionNotFound = (id: string) =>
  new Problem('region_not_found', `There is no region ${shown(id)}.`);

export const nodeNotFound = (id: string) =>
  new Problem('node_not_found', `There is no node ${shown(id)}.`);

export const changedRecord = (what: string, etag: string) =>
  new Problem(
    'precondition_failed',
    `${what} is not as the request expects: its ETag is ${etag}.`,
    {
      headers: { etag },
    },
  );

import * as z from 'zod/mini';
import { pageMembers } from '../../contract/paging.ts';

/** What every list of alerting that comes in pages has beside its items. */
export const listMembers = { total: z.int(), ...pageMembers } as const;

/** `true` or `false` in a query. */
export const Flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

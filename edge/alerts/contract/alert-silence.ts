import * as z from 'zod/mini';
import { Matcher, Matchers } from './alert-matcher.ts';
import { Cursor, pageMembers, PageSize } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { exactlyOne, says } from '../../contract/schema-rules.ts';

export const SilenceState = z.enum(['pending', 'active', 'expired']);
export type SilenceState = z.infer<typeof SilenceState>;

const MAX_DURATION_S = 366 * 86_400;

/**
 * The body of `POST /alerts/silences`: suppresses the alerts that all matchers match, for a time.
 * `starts_at` defaults to now. `created_by` is only honoured for local callers; others are named by their
 * credentials.
 */
export const NewSilence = z
  .strictObject({
    matchers: Matchers.check(z.minLength(1)),
    starts_at: z.optional(TimestampInput),
    ends_at: z.optional(TimestampInput),
    duration_s: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_DURATION_S))),
    created_by: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(128))),
    comment: z.prefault(z.string().check(z.trim(), z.maxLength(1024)), ''),
  })
  .check(
    says(
      exactlyOne('ends_at', 'duration_s'),
      z.refine(
        ({ ends_at, duration_s }) => (ends_at === undefined) !== (duration_s === undefined),
        { path: ['ends_at'], error: 'expected either ends_at or duration_s' },
      ),
    ),
  );
export type NewSilenceInput = z.input<typeof NewSilence>;
export type NewSilence = z.output<typeof NewSilence>;

export const Silence = z.object({
  id: z.string(),
  matchers: z.array(Matcher),
  starts_at: Timestamp,
  ends_at: Timestamp,
  created_by: z.string(),
  comment: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  state: SilenceState,
});
export type Silence = z.infer<typeof Silence>;

export const SilenceQuery = z.strictObject({
  state: z.optional(SilenceState),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type SilenceQuery = z.output<typeof SilenceQuery>;

/** The response of `GET /alerts/silences`, the latest created first. */
export const SilenceList = z.object({ silences: z.array(Silence), total: z.int(), ...pageMembers });
export type SilenceList = z.infer<typeof SilenceList>;

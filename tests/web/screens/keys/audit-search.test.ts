import { describe, expect, it } from 'vitest';
import {
  localOf,
  NO_FILTERS,
  searchOf,
  utcOf,
} from '../../../../web/screens/keys/audit/audit-search.ts';

describe('the search of the audit log', () => {
  it('asks only for what is filled in, and for times that are some', () => {
    const from = '2026-11-21T12:00:00.000Z';

    expect(searchOf(NO_FILTERS)).toEqual({});
    expect(searchOf({ ...NO_FILTERS, actor: ' local ', from, to: 'soon' })).toEqual({
      actor: 'local',
      from,
    });
  });

  it('keeps a moment over the zone of the browser', () => {
    const utc = '2026-11-21T12:34:00.000Z';

    expect(utcOf(localOf(utc))).toBe(utc);
    expect([localOf(''), utcOf('')]).toEqual(['', '']);
  });
});

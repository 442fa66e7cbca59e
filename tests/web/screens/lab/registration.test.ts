import { describe, expect, it } from 'vitest';
import {
  checkRegistration,
  nextVersion,
  suggestId,
} from '../../../../web/screens/lab/files/registration.ts';

describe('a registration', () => {
  const good = { id: 'moby-dick', name: 'Moby Dick', version: '1.0.0' };

  it('is checked as the registry checks it', () => {
    expect(checkRegistration(good)).toEqual({});
    expect(Object.keys(checkRegistration({ id: 'Moby Dick', name: ' ', version: '1' }))).toEqual([
      'id',
      'name',
      'version',
    ]);
  });

  it.each([
    ['Moby Dick, tiny', 'moby-dick-tiny'],
    ['  Été 2026! ', 'e-te-2026'],
    ['白鯨', ''],
  ])('suggests for the name %j the id %j', (name, id) => {
    expect(suggestId(name)).toBe(id);
  });

  it.each([
    ['1.0.0', '1.1.0'],
    ['1.4.2', '1.5.0'],
    ['2.0.0-rc.1', '2.1.0'],
    ['', '0.1.0'],
  ])('follows the version %j by %j', (version, next) => {
    expect(nextVersion(version)).toBe(next);
  });
});

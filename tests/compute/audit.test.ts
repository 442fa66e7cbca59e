import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditLockfile, type Lockfile, type Manifest } from '../../tools/audit-lockfile.ts';

const manifest = { dependencies: { a: '1.2.3' }, allowScripts: { b: false } };
const fine = { version: '1.2.3', integrity: 'sha512-x', license: 'MIT' };

/** The faults of a lockfile whose package `b` has these members. */
const faultsOf = (b: object, more: Manifest = {}) =>
  auditLockfile(
    { ...manifest, ...more },
    {
      packages: {
        '': { dependencies: { a: '1.2.3' } },
        'node_modules/a': fine,
        'node_modules/a/node_modules/b': { ...fine, ...b },
      },
    },
  );

describe('the audit of the dependencies', () => {
  it('finds nothing in those of this project', () => {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

    const faults = auditLockfile(
      read('package.json') as Manifest,
      read('package-lock.json') as Lockfile,
    );

    expect(faults).toEqual([]);
  });

  it.each([
    [{}, []],
    [{ hasInstallScript: true }, []],
    [{ license: '(Apache-2.0 AND BSD-3-Clause)' }, []],
    [{ license: 'GPL-3.0 OR MIT' }, []],
    [{ license: 'MPL-2.0', dev: true }, []],
    [
      { license: 'MPL-2.0' },
      ['b@1.2.3: has the licence MPL-2.0, which is not allowed in a product'],
    ],
    [{ license: 'GPL-3.0', dev: true }, ['b@1.2.3: has the licence GPL-3.0, which is not allowed']],
    [{ license: undefined, dev: true }, ['b@1.2.3: has the licence none, which is not allowed']],
    [{ integrity: undefined }, ['b@1.2.3: has no integrity in package-lock.json']],
    [
      { resolved: 'https://r.example/b.tgz' },
      ['b@1.2.3: is taken from https://r.example/b.tgz, expected no "resolved"'],
    ],
  ])('of a package with %j says %j', (b, faults) => {
    expect(faultsOf(b)).toEqual(faults);
  });

  it('refuses scripts that nobody allowed, ranges, and a lockfile of something else', () => {
    expect(faultsOf({ hasInstallScript: true }, { allowScripts: {} })).toEqual([
      'b@1.2.3: has an install script, and allowScripts of package.json does not name it',
    ]);
    expect(faultsOf({}, { dependencies: { a: '^1.2.3' } })).toEqual([
      'a: dependencies asks for "^1.2.3", expected one version',
      'package-lock.json was made of other dependencies than package.json names: npm install',
    ]);
  });
});

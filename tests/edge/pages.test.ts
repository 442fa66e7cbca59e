import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageOf, RESERVED_NAMES } from '../../edge/gateway/contract/pages.ts';
import { VERSION } from '../../edge/version.ts';
import { root } from './harness.ts';

describe('the pages of the dashboard', () => {
  it.each([
    ['/', '/'],
    ['/lab', '/lab'],
    ['/lab/', '/lab'],
    ['/models', '/models'],
    ['/models/tiny-1.2', '/models/:id'],
    ['/models/a/b', undefined],
    ['/models//', undefined],
    ['/labs', undefined],
    ['/registry/models', undefined],
    ['//', undefined],
  ])('%s is the page %s', (path, page) => {
    expect(pageOf(path)).toBe(page);
  });

  it('keep services from taking their names', () => {
    for (const name of ['lab', 'models', 'settings', 'assets', 'services', 'health', 'api', 'v1']) {
      expect(RESERVED_NAMES).toContain(name);
    }
    expect(RESERVED_NAMES).not.toContain('registry');
  });
});

describe('the version services show', () => {
  it('is the one of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

    expect(VERSION).toBe(version);
  });
});

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Policy {
  moveScriptsToFiles(folder: string): void;
}

const script = fileURLToPath(new URL('../../docs/site/content-security.mjs', import.meta.url));

describe('pages of the guide under the policy of the platform', () => {
  let folder = '';
  let policy: Policy;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spikegrid-guide-'));
    mkdirSync(join(folder, 'assets'));
    policy = (await import(pathToFileURL(script).href)) as Policy;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const page = (name: string) => join(folder, name);

  it('have their scripts in files, one for all pages where it is the same', () => {
    for (const name of ['a.html', 'b.html']) {
      writeFileSync(
        page(name),
        '<script id="mode">dark()</script><script src="/guide/x.js"></script>',
      );
    }

    policy.moveScriptsToFiles(folder);

    const [file = ''] = globSync('assets/*.js', { cwd: folder });
    expect(readFileSync(page(file), 'utf8')).toBe('dark()');
    expect(globSync('assets/*', { cwd: folder })).toHaveLength(1);
    expect(readFileSync(page('b.html'), 'utf8')).toBe(
      `<script id="mode" src="/guide/${file}"></script><script src="/guide/x.js"></script>`,
    );
  });

  it('are refused where they have a style that would not be applied', () => {
    writeFileSync(page('a.html'), '<p style="color: teal">x</p>');

    expect(() => policy.moveScriptsToFiles(folder)).toThrow('a.html has a style attribute');
  });
});

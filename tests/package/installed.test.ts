import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, installPacked, nodes, root } from './packed-app.ts';
import { filesOf, linesOf, programs } from './programs.ts';

/** The entries of the installed package by what a program imports. */
function entriesOf(app: App): readonly string[] {
  const manifest = JSON.parse(
    readFileSync(join(app.folder, 'node_modules/spikegrid/package.json'), 'utf8'),
  ) as { readonly exports: Record<string, unknown> };
  const names = Object.keys(manifest.exports).filter((name) => !/[*]|json$/.test(name));
  return names.map((name) => name.replace(/^\./, 'spikegrid'));
}

describe('the packed library in an empty folder', () => {
  let app: App;
  beforeAll(() => {
    app = installPacked();
  });
  afterAll(() => app.remove());

  test.each([...nodes])('every entry can be imported with Node %s', async (_, node) => {
    const entries = entriesOf(app);
    app.write(
      'entries.js',
      `for (const entry of ${JSON.stringify(entries)}) {
        const names = Object.keys(await import(entry));
        console.log(entry, names.length > 0 ? 'has names' : 'is empty');
      }`,
    );
    const said = await app.run(node, 'entries.js');
    expect(said.trim().split('\n')).toEqual(entries.map((entry) => `${entry} has names`));
  });

  test.each(programs)('examples/$folder runs on every Node', async (program) => {
    app.copyExample(program.folder, ...filesOf(program));
    for (const node of nodes.values()) {
      expect(await app.run(node, 'main.js')).toMatch(program.prints);
    }
    console.log(`examples/${program.folder}: ${linesOf(program)} lines of ${program.most}`);
    expect(linesOf(program)).toBeLessThanOrEqual(program.most);
  });

  test.each(['bundler', 'nodenext'])('its types hold with moduleResolution %s', (resolution) => {
    const entries = entriesOf(app);
    const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
    const all = `export const all = [${entries.map((_, i) => `entry${i}`).join(', ')}];`;
    app.write('types.ts', [...imports, all].join('\n'));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
      ...{ target: 'es2022', lib: ['es2023', 'dom'], moduleResolution: resolution },
      module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    };
    app.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['types.ts'] }));
    const tsc = join(root, 'node_modules/.bin/tsc');
    expect(spawnSync(tsc, { cwd: app.folder, encoding: 'utf8' }).stdout).toBe('');
  });
});

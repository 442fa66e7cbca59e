import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, type NewProject, parseTemplate } from '../../compute/project/new-project.ts';
import { installedSource } from '../../compute/project/package-source.ts';
import { temporaryFolder } from './spikegrid-process.ts';

describe('a new project', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const make = (more: Partial<NewProject>) =>
    makeProject({
      name: 'my-network',
      template: 'classifier',
      parent: folder.path,
      spikegrid: '^0.1.0',
      ...more,
    });
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it.each([
    ['', /"" is no name/],
    ['../evil', /is a path/],
    ['/tmp/evil', /is a path/],
    [String.raw`a\b`, /is a path/],
    ['@scope/name', /is a path/],
    ['..', /is a path/],
    ['.hidden', /is no name of a package/],
    ['_private', /is no name of a package/],
    ['My-Network', /uppercase letters/],
    ['my network', /is no name of a package/],
    ['my~network', /is no name of a package/],
    ['netz-für-alle', /is no name of a package/],
    ['node_modules', /is taken/],
    ['spikegrid', /is taken/],
    ['n'.repeat(215), /has 215 characters, at most 214/],
  ])('refuses the name %s and writes nothing', async (name, message) => {
    await expect(make({ name })).rejects.toThrow(message);
    await expect(make({ name })).rejects.toThrow('expected a name such as my-network');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('refuses a folder that is not empty, a file, and a template that there is not', async () => {
    mkdirSync(join(folder.path, 'full'));
    writeFileSync(join(folder.path, 'full/notes.txt'), 'mine');
    writeFileSync(join(folder.path, 'file'), 'mine');

    await expect(make({ name: 'full' })).rejects.toThrow(/full is not empty, it holds notes.txt/);
    await expect(make({ name: 'file' })).rejects.toThrow(/file is a file/);
    expect(() => parseTemplate('vision')).toThrow(
      'there is no template "vision": expected classifier, text, events, neuron',
    );
    expect(readdirSync(folder.path)).toEqual(['file', 'full']);
    expect(readdirSync(join(folder.path, 'full'))).toEqual(['notes.txt']);
  });

  it('fills an empty folder, with its name in package.json and README', async () => {
    mkdirSync(join(folder.path, 'my-network'));
    const made = await make({ spikegrid: 'file:../spikegrid.tgz' });

    const manifest = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({
      name: 'my-network',
      dependencies: { spikegrid: 'file:../spikegrid.tgz' },
    });
    expect(readFileSync(join(made, 'README.md'), 'utf8')).toMatch(/^# my-network\n/);
    expect(readdirSync(made)).toContain('.gitignore');
    expect(readdirSync(folder.path)).toEqual(['my-network']);
  });

  it('leaves nothing half written when it fails', async () => {
    // JSON has no such number, which is found once all files are copied.
    await expect(make({ spikegrid: 1n as never })).rejects.toThrow(/BigInt/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('depends on the file that the package was installed from, else on its version', async () => {
    const modules = join(folder.path, 'host/node_modules');
    mkdirSync(modules, { recursive: true });
    const project = join(folder.path, 'host/my-network');
    const source = () => installedSource(join(modules, 'spikegrid'), '0.1.0', project);
    const note = (resolved: string) =>
      writeFileSync(
        join(modules, '.package-lock.json'),
        JSON.stringify({ packages: { 'node_modules/spikegrid': { resolved } } }),
      );

    expect(await source()).toBe('^0.1.0');
    note('https://registry.npmjs.org/spikegrid/-/spikegrid-0.1.0.tgz');
    expect(await source()).toBe('^0.1.0');
    note('file:../spikegrid-0.1.0.tgz');
    expect(await source()).toBe('file:../../spikegrid-0.1.0.tgz');
  });
});

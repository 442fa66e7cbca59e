import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readPluginFiles } from '../../compute/plugins/plugin-folder.ts';

export type Manifest = Record<string, unknown>;

export const makeRoot = () => realpathSync(mkdtempSync(join(tmpdir(), 'spikegrid-plugins-')));

/**
 * Writes a plugin of one module whose `execute` has this body; the manifest is what the test wants.
 *
 * @returns its folder
 */
export async function writePlugin(
  root: string,
  name: string,
  { body = 'return {};', manifest = {}, dependencies = {}, version = '1.0.0', more = '' } = {} as {
    readonly body?: string;
    readonly manifest?: Manifest;
    readonly dependencies?: Record<string, string>;
    readonly version?: string;
    /** Lines above the plugin. */
    readonly more?: string;
  },
): Promise<string> {
  const facts = { name, type: 'MONITORING', version, description: 'For tests.', dependencies };
  const module = `
    import { BasePlugin, metadata } from 'spikegrid';
    ${more}
    class Mine extends BasePlugin {
      getMetadata() {
        return metadata({
          ...${JSON.stringify(facts)},
          outputs: { value: { kind: 'json', optional: true, description: 'A value' } },
        });
      }
      async execute(inputs) { ${body} }
    }
    export const createPlugin = () => new Mine();
  `;
  return writeFolder(
    join(root, name),
    { 'main.js': module },
    {
      name,
      type: 'MONITORING',
      version,
      engine: '^0.1.0',
      entry: 'main.js',
      dependencies,
      ...manifest,
    },
  );
}

/** Writes files and a manifest with their hash, unless it says another. */
export async function writeFolder(
  folder: string,
  files: Readonly<Record<string, string>>,
  manifest: Manifest,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { sha256 } = await readPluginFiles(folder);
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ sha256, ...manifest }));
  return folder;
}

import { readdirSync, readFileSync } from 'node:fs';

/** Every kernel's text by its path under shaders/, such as `neurons/lif_forward.wgsl`. Node reads the folder. */
export const shaders: Readonly<Record<string, string>> = readFolder(new URL('./', import.meta.url));

function readFolder(root: URL): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const wgsl = paths.map((path) => path.replaceAll('\\', '/')).filter((p) => p.endsWith('.wgsl'));
  return Object.fromEntries(wgsl.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

import { readdirSync, readFileSync } from 'node:fs';
import { createLinker } from './link.ts';

/** Every file's text by its path under shaders/, such as `neurons/lif_forward.wgsl`. Node reads the folder. */
export const shaders = readShaders();

/** Plain WGSL of a variant, made by the linker. */
export const linkVariant = createLinker(shaders);

/** The files as they are now. */
export function readShaders(): Readonly<Record<string, string>> {
  const root = new URL('./', import.meta.url);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const wgsl = paths.map((path) => path.replaceAll('\\', '/')).filter((p) => p.endsWith('.wgsl'));
  return Object.fromEntries(wgsl.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

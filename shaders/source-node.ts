import { readdirSync, readFileSync } from 'node:fs';
import { createLinker, type Linker } from './link.ts';

let linker: Linker | undefined;

/** Plain WGSL of a variant, made by the linker. The files are read when the first shader is needed. */
export const linkVariant: Linker = (variant) => {
  linker ??= createLinker(readShaders());
  return linker(variant);
};

/** Every file's text as it is now, by its path under shaders/, such as `neurons/lif_forward.wgsl`. */
export function readShaders(): Readonly<Record<string, string>> {
  const root = new URL('./', import.meta.url);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const wgsl = paths.map((path) => path.replaceAll('\\', '/')).filter((p) => p.endsWith('.wgsl'));
  return Object.fromEntries(wgsl.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

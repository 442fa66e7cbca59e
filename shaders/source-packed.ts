import { readFile } from 'node:fs/promises';
import { url } from 'virtual:shader-templates';
import { linkerOfTemplates } from './filled-templates.ts';
import type { Template } from './template.ts';

/** Plain WGSL of a variant, in Node and from the package: it has the templates and no linker. */
export const linkVariant = linkerOfTemplates(async () => {
  const json = await readFile(new URL(url), 'utf8');
  // Written by our own build.
  return JSON.parse(json) as Readonly<Record<string, Template>>;
});

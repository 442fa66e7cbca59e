import { url } from 'virtual:shader-templates';
import { linkerOfTemplates } from './filled-templates.ts';
import type { Template } from './template.ts';

/** Plain WGSL of a variant, in a browser: the templates are a file beside the scripts. */
export const linkVariant = linkerOfTemplates(async () => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  // Written by our own build.
  return (await answer.json()) as Readonly<Record<string, Template>>;
});

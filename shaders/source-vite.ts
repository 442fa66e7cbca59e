import { url } from 'virtual:shader-templates';
import { fillTemplate, type ShaderVariant, type Template } from './template.ts';

let templates: Promise<Readonly<Record<string, Template>>> | undefined;

/** Plain WGSL of a variant: what the linker makes of it, from the template that the build made. */
export async function linkVariant(variant: ShaderVariant): Promise<string> {
  // Fetched when the first shader is needed: who computes on WASM needs none.
  templates ??= load().catch((error: unknown) => {
    templates = undefined;
    throw error;
  });
  const template = (await templates)[variant.path];
  if (!template) throw new Error(`there is no shaders/${variant.path}.wgsl`);
  return fillTemplate(template, variant);
}

async function load(): Promise<Readonly<Record<string, Template>>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  // Written by our own build.
  return (await answer.json()) as Readonly<Record<string, Template>>;
}

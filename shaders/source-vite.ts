import { templates } from 'virtual:shader-templates';
import { fillTemplate, type ShaderVariant } from './template.ts';

/** Plain WGSL of a variant: what the linker makes of it, from the template that the build made. */
export async function linkVariant(variant: ShaderVariant): Promise<string> {
  const template = templates[variant.path];
  if (!template) throw new Error(`there is no shaders/${variant.path}.wgsl`);
  return fillTemplate(template, variant);
}

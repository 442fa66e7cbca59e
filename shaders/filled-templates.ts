import type { Linker } from './link.ts';
import { fillTemplate, type Template } from './template.ts';

type Templates = Readonly<Record<string, Template>>;

/**
 * Plain WGSL of a variant: what the linker makes of it, from templates that the build made. They are
 * loaded when the first shader is needed, as who computes on WASM needs none, and again after a failure.
 */
export function linkerOfTemplates(load: () => Promise<Templates>): Linker {
  let templates: Promise<Templates> | undefined;
  return async (variant) => {
    templates ??= load().catch((error: unknown) => {
      templates = undefined;
      throw error;
    });
    const template = (await templates)[variant.path];
    if (!template) throw new Error(`there is no shaders/${variant.path}.wgsl`);
    return fillTemplate(template, variant);
  };
}

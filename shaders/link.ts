import { composeResolvers, createConstantsResolver, linkWithResolver, RecordResolver } from 'wesl';
import type { ShaderVariant } from './template.ts';

/** Resolves imports, constants and conditions of a file under shaders/ into plain WGSL. */
export type Linker = (variant: ShaderVariant) => Promise<string>;

/** @param sources by path under shaders/; each file is parsed once, however many variants it has */
export function createLinker(sources: Readonly<Record<string, string>>): Linker {
  const files = Object.entries(sources).map(([path, code]) => [`./${path}`, code]);
  const parsed = new RecordResolver(Object.fromEntries(files));
  return async ({ path, constants, conditions }) => {
    const linked = await linkWithResolver({
      resolver: composeResolvers(parsed, createConstantsResolver({ ...constants })),
      rootModuleName: path,
      conditions: { ...conditions },
      sourceMap: false,
    });
    return linked.dest;
  };
}

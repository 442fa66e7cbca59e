import { link } from 'wesl';
import { shaders } from '#shaders';
import { EngineError } from '../../errors.ts';

const sources: Record<string, string> = Object.fromEntries(
  Object.entries(shaders).map(([path, code]) => [`./${path}`, code]),
);

/** One kernel file with everything that makes a variant of it. */
export interface ShaderVariant {
  /** Path under shaders/ without `.wgsl`; its last part is the entry point. */
  readonly path: string;
  readonly constants: Readonly<Record<string, number>>;
  readonly conditions: Readonly<Record<string, boolean>>;
}

/** Resolves imports, constants and conditions of a file under shaders/ into plain WGSL. */
export async function linkShader({ path, constants, conditions }: ShaderVariant): Promise<string> {
  try {
    const linked = await link({
      weslSrc: sources,
      rootModuleName: path,
      constants: { ...constants },
      conditions: { ...conditions },
    });
    return linked.dest;
  } catch (error) {
    throw new EngineError(
      'shader-invalid',
      `shaders/${path}.wgsl does not link: ${String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** The entry point of a kernel equals its file's name. */
export function entryPoint(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

import { linkVariant } from '#shaders';
import type { ShaderVariant } from '../../../shaders/template.ts';
import { EngineError } from '../../errors.ts';

export type { ShaderVariant };

/** Resolves imports, constants and conditions of a file under shaders/ into plain WGSL. */
export async function linkShader({ path, constants, conditions }: ShaderVariant): Promise<string> {
  try {
    return await linkVariant({ path, constants, conditions });
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

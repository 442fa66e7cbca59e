import { linkVariant } from '#shaders';
import type { ShaderVariant } from '../../../shaders/template.ts';
import { EngineError } from '../../errors.ts';

export type { ShaderVariant };

const linked = new Map<string, Promise<string>>();

/**
 * Resolves imports, constants and conditions of a file under shaders/ into plain WGSL. A program names
 * one variant in many calls, and linking takes milliseconds: each is linked once in a process.
 */
export function linkShader({ path, constants, conditions }: ShaderVariant): Promise<string> {
  const key = JSON.stringify([path, constants, conditions]);
  const known = linked.get(key) ?? resolve({ path, constants, conditions });
  linked.set(key, known);
  return known;
}

async function resolve({ path, constants, conditions }: ShaderVariant): Promise<string> {
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

import { link, RecordResolver } from 'wesl';
import { shaders } from '#shaders';
import { EngineError } from '../../errors.ts';

/** Parses a file once, for all that import it. */
const resolver = new RecordResolver(
  Object.fromEntries(Object.entries(shaders).map(([path, code]) => [`./${path}`, code])),
);

/** One kernel file with everything that makes a variant of it. */
export interface ShaderVariant {
  /** Path under shaders/ without `.wgsl`; its last part is the entry point. */
  readonly path: string;
  readonly constants: Readonly<Record<string, number>>;
  readonly conditions: Readonly<Record<string, boolean>>;
}

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
    const { dest } = await link({
      resolver,
      rootModuleName: path,
      constants: { ...constants },
      conditions: { ...conditions },
      sourceMap: false,
    });
    return dest;
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

import { linkVariant } from '#shaders';
import type { ShaderVariant } from '../../../shaders/template.ts';
import { EngineError } from '../../errors.ts';

export type { ShaderVariant };

const linked = new Map<string, Promise<string>>();

/** A variant for operands: its names for them, in binding order. */
export interface BoundVariant extends ShaderVariant {
  readonly operands?: readonly string[];
}

/**
 * Resolves imports, constants and conditions of a file under shaders/ into plain WGSL, and binds what it
 * declares in storage. A program names one variant in many calls, and linking takes milliseconds: each is
 * linked once in a process.
 */
export function linkShader(variant: BoundVariant): Promise<string> {
  const { path, constants, conditions, operands } = variant;
  const key = JSON.stringify([path, constants, conditions, operands]);
  const known = linked.get(key) ?? resolve(variant);
  linked.set(key, known);
  return known;
}

async function resolve({ operands = [], ...variant }: BoundVariant): Promise<string> {
  const { path, constants, conditions } = variant;
  try {
    return bindStorage(await linkVariant({ path, constants, conditions }), operands);
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

/** Shaders declare the operands that they read or write by name: places follow from the kernel's row. */
function bindStorage(code: string, operands: readonly string[]): string {
  return code.replaceAll(/\bvar<storage, read_write> (\w+)/g, (declared, name: string) => {
    const binding = operands.indexOf(name);
    if (binding >= 0) return `@group(0) @binding(${binding}) ${declared}`;
    throw new Error(`${name} is none of its operands ${operands.join(', ')}`);
  });
}

/** The bindings that a shader declares. */
export function bindingsIn(code: string): ReadonlySet<number> {
  return new Set(Array.from(code.matchAll(/@binding\((\d+)\)/g), ([, binding]) => Number(binding)));
}

/** The entry point of a kernel equals its file's name. */
export function entryPoint(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

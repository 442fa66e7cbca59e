import { describe, expect, it } from 'vitest';
import type { ShaderVariant } from '../../engine/backends/webgpu/link-shader.ts';
import { neuronCatalogue } from '../../engine/neurons/catalogue.ts';
import { makeTemplates, plainLines } from '../../shaders/make-templates.ts';
import { linkVariant, readShaders } from '../../shaders/source-node.ts';
import { fillTemplate } from '../../shaders/template.ts';
import { profiles, variantsOf } from './shader-variants.ts';

const templates = await makeTemplates(readShaders());

describe('the template of a kernel', () => {
  it('gives, for every variant that a backend asks for, what the linker gives', async () => {
    // Of shaders that are made from equations, the files that they call.
    const variants = [
      ...profiles
        .flatMap(variantsOf)
        .flatMap(({ generated, ...own }): ShaderVariant[] =>
          generated
            ? generated.libraries.map((path) => ({ path, constants: {}, conditions: {} }))
            : [own],
        ),
      ...models,
    ];
    expect(new Set(variants.map(({ path }) => path))).toEqual(new Set(Object.keys(templates)));
    for (const variant of variants) {
      const filled = fillTemplate(templates[variant.path]!, variant);
      const expected = plainLines(await linkVariant(variant)).join('\n');
      expect(filled, `${variant.path} ${JSON.stringify(variant.conditions)}`).toBe(expected);
    }
  });

  it('refuses a variant without the value of a constant, naming it', () => {
    const constants = { WORKGROUP: 64 };
    const variant = { path: 'embedding/token_chain', constants, conditions: {} };
    expect(() => fillTemplate(templates['embedding/token_chain']!, variant)).toThrow(
      'ROWS has no value',
    );
  });

  it('holds lines that all variants share once', () => {
    const text = JSON.stringify(templates['linear/product']);
    expect(text.split('fn left_block(').length).toBe(2);
  });
});

describe('making templates', () => {
  const kernel = (body: string) => ({ 'a/b.wgsl': `import constants::N;\n${body}` });

  it('chooses by the condition, and by conditions within conditions', async () => {
    const body = 'fn b() -> u32 {\n@if(X) {\n@if(Y) return N;\n}\n@else return 2;\nreturn 3;\n}';
    const made = await makeTemplates(kernel(body));
    const at = (conditions: Record<string, boolean>) =>
      fillTemplate(made['a/b']!, { path: 'a/b', constants: { N: 7 }, conditions });
    expect(at({ X: true, Y: true })).toMatch(/return N/);
    expect(at({ X: true })).not.toMatch(/return N|return 2/);
    expect(at({ Y: true })).toMatch(/return 2/);
    expect(at({ X: true, Y: true })).toMatch(/const N = 7;/);
  });

  it('refuses a kernel that does not link whatever is set, naming it', async () => {
    const made = makeTemplates(kernel('fn b() { missing(N); }'));
    await expect(made).rejects.toThrow('shaders/a/b.wgsl does not link');
  });

  it('refuses a kernel with too many conditions, naming it', async () => {
    const names = Array.from({ length: 13 }, (_, i) => `C${i}`);
    const body = names.map((name) => `@if(${name}) const V${name} = N;`).join('\n');
    await expect(makeTemplates(kernel(body))).rejects.toThrow('a/b.wgsl depends on 13 conditions');
  });
});

/** Modules that a step of neurons is linked with: the file of each model of the catalogue. */
const models: readonly ShaderVariant[] = Object.keys(neuronCatalogue).map((name) => ({
  path: `simulator/models/${name}`,
  constants: {},
  conditions: {},
}));

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './places.ts';

/** Where a kernel's row is: `lossKernels` of `training.ts`. */
interface Area {
  readonly name: string;
  readonly file: string;
}

const TABLE = /import \{ kernels(?:, (type \w+))? \} from '((?:\.\.\/)+kernels\/)kernels\.ts';/;

const CALLED = /(?<![\w./-])kernels\.(\w+)/g;

/** The area of each kernel by its name. */
async function readAreas(): Promise<ReadonlyMap<string, Area>> {
  const areas = new Map<string, Area>();
  for (const path of globSync('engine/kernels/*.ts', { cwd: root })) {
    const file = path.split(/[/\\]/).at(-1) ?? '';
    if (file === 'kernels.ts') continue;
    const module = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (!name.endsWith('Kernels') || typeof value !== 'object' || value === null) continue;
      for (const kernel of Object.keys(value)) areas.set(kernel, { name, file });
    }
  }
  return areas;
}

/**
 * Turns `kernels.lif_forward` into `neuronKernels.lif_forward`: the table of all kernels is one object, of which a
 * bundler leaves nothing out, and a program calls few of its areas.
 */
export async function createAreaImports(): Promise<(source: string) => string> {
  const areas = await readAreas();
  return (source) => {
    const [statement, type, folder = ''] = TABLE.exec(source) ?? [];
    if (statement === undefined) return source;
    const used = new Map<string, Area>();
    const code = source.replace(statement, '').replaceAll(CALLED, (_, name: string) => {
      const area = areas.get(name);
      if (!area) throw new Error(`there is no kernel ${name}`);
      used.set(area.name, area);
      return `${area.name}.${name}`;
    });
    const imports = [...used.values()].map(
      ({ name, file }) => `import { ${name} } from '${folder}${file}';`,
    );
    if (type) imports.push(`import { ${type} } from '${folder}kernels.ts';`);
    return [...imports, code].join('\n');
  };
}

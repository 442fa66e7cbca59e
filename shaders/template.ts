/** One kernel file with everything that makes a variant of it. */
export interface ShaderVariant {
  /** Path under shaders/ without `.wgsl`; its last part is the entry point. */
  readonly path: string;
  readonly constants: Readonly<Record<string, number>>;
  readonly conditions: Readonly<Record<string, boolean>>;
}

/** A line that every variant has, or those that a condition chooses between. */
export type Piece = string | readonly [condition: string, whenSet: Template, otherwise: Template];

/** All variants of a kernel with its imports resolved; `$NAME$` stands for a constant's value. */
export type Template = readonly Piece[];

const HOLE = /\$(\w+)\$/g;

/** Plain WGSL of one variant. A condition that is not named is not set. */
export function fillTemplate(template: Template, variant: ShaderVariant): string {
  const { constants, conditions } = variant;
  return linesOf(template, conditions)
    .join('\n')
    .replaceAll(HOLE, (_, name: string) => {
      const value = constants[name];
      if (value === undefined) throw new Error(`the constant ${name} has no value`);
      return String(value);
    });
}

function linesOf(template: Template, conditions: ShaderVariant['conditions']): string[] {
  return template.flatMap((piece) => {
    if (typeof piece === 'string') return piece;
    const [condition, whenSet, otherwise] = piece;
    return linesOf(conditions[condition] ? whenSet : otherwise, conditions);
  });
}

/**
 * Calls without effects, for bundlers that drop what nobody needs: those that write the table of kernels, so
 * that who calls none needs no row of it, and those that make a schema, with every `.check()` that follows.
 * Not `z.config`, which has an effect.
 */
const KERNELS = ['kernelsOf', 'oneOf', 'hostValue', 'equations', 'layerOf', 'layerGradient'];
const SCHEMAS =
  'string object strictObject looseObject array record tuple enum literal union discriminatedUnion int number boolean optional nullable prefault pipe transform unknown extend'.split(
    ' ',
  );

export const PURE_CALLS: readonly string[] = [...SCHEMAS.map((name) => `z.${name}`), ...KERNELS];

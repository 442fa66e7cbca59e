import * as z from 'zod/mini';
import {
  ARCHITECTURES,
  CATEGORIES,
  type Descriptions,
  familyDescriptions,
  type Field,
  type FieldTable,
} from '../../../engine/descriptions.ts';

/* Schemas of the fields of each model family, made from the engine's descriptions (rule 11). */

export const MODEL_TYPES = ARCHITECTURES;

/** The family to train, by its name in a model_spec. */
export const ModelType = z.enum(MODEL_TYPES);
export type ModelType = z.infer<typeof ModelType>;

/** The kind of data that a language-model training server learns from. */
export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;

export type FamilyOf<Type extends ModelType> = Descriptions[Type];

/** A field may be left out: it is chosen when a job is made of the request, and recorded with its reason. */
type SchemaOf<F extends Field> = z.ZodMiniOptional<
  F extends { readonly kind: 'flag' }
    ? z.ZodMiniBoolean
    : F extends { readonly choices: readonly (infer Choice extends string)[] }
      ? z.ZodMiniEnum<{ [Name in Choice]: Name }>
      : F extends { readonly kind: 'text' }
        ? z.ZodMiniString
        : z.ZodMiniNumber
>;
type SchemasOf<Table extends FieldTable> = {
  readonly [Name in keyof Table]: SchemaOf<Table[Name]>;
};

function schemaOf(field: Field) {
  if (field.kind === 'flag') return z.optional(z.boolean());
  if (field.kind === 'choice') return z.optional(z.enum(field.choices));
  if (field.kind === 'text') return z.optional(z.string().check(z.maxLength(field.max)));
  const number = field.kind === 'whole' ? z.int() : z.number();
  return z.optional(number.check(z.gte(field.min), z.lte(field.max)));
}

/** The fields of each family in a request: these and no others. */
export const familyFields = Object.fromEntries(
  MODEL_TYPES.map((type) => {
    const schemas = Object.entries(familyDescriptions[type].fields).map(
      ([name, field]) => [name, schemaOf(field)] as const,
    );
    return [type, Object.fromEntries(schemas)];
  }),
  // The types are those of the tables that the schemas are made from.
) as unknown as { readonly [Type in ModelType]: SchemasOf<FamilyOf<Type>['fields']> };

/** The families of each category; the first is the one that it stands for where a request names none. */
export const familiesOf = Object.groupBy(
  MODEL_TYPES,
  (type) => familyDescriptions[type].category,
) as Readonly<Record<Category, readonly ModelType[]>>;

/** Whether runs of a family never continue from another model. */
export const startsAnew = (type: ModelType): boolean =>
  familyDescriptions[type].startsAnew === true;

/** Whether a request of a family may name a tokenizer file. */
export const takesTokenizer = (type: ModelType): boolean =>
  familyDescriptions[type].takesTokenizer === true;

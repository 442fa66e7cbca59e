import type { FieldTable } from './fields.ts';
import type { Recipes } from './recipes.ts';

/** The kind of data that a family learns from, as the training service names it. */
export const CATEGORIES = ['LangText', 'Vision', 'Audio', 'MultiModal'] as const;
type Category = (typeof CATEGORIES)[number];

/** A model family as data: all that forms, command lines and schemas of requests are made from. */
export interface FamilyDescription {
  /** `architecture` of its model_spec; with hyphens, its folder below `engine/models/`. */
  readonly architecture: string;
  /** Its place in lists; the first of a category is the one that the category stands for. */
  readonly rank: number;
  /** `model_family` of its model_spec. */
  readonly name: string;
  /** Its title on screens, by language. */
  readonly title: { readonly en: string; readonly ja: string };
  readonly category: Category;
  /** Its own fields, without those of every run. */
  readonly fields: FieldTable;
  /** The fields that decide how data is read: a change of one of them has it read again. */
  readonly dataFields: readonly string[];
  /** Values that presets put into the fields; `auto` holds where nothing is chosen. */
  readonly presets: Recipes;
  /** Its neurons can be observed one by one (`TrainingRun.observer`). */
  readonly isObserved?: true;
  /** A request may name a tokenizer file. */
  readonly takesTokenizer?: true;
  /** Its runs never continue from another model (rule 11 of the platform). */
  readonly startsAnew?: true;
}

/** Keeps the literal types of a description, from which types of requests are derived. */
export const describeFamily = <const D extends FamilyDescription>(description: D): D => description;

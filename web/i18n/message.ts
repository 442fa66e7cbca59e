/** A sentence with named holes, or one per plural category where its `{count}` decides the wording. */
export type Message = string | { readonly one?: string; readonly other: string };

/** The names between braces in a sentence: `'{a} of {b}'` has the holes `a` and `b`. */
type HolesOfText<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | HolesOfText<Rest>
  : never;

/** The holes of a message, over all of its plural forms. */
type Holes<M> = M extends string
  ? HolesOfText<M>
  : { [Form in keyof M]: M[Form] extends string ? HolesOfText<M[Form]> : never }[keyof M];

export type HoleValue = string | number;

/** The arguments of a call after the key: none for a message without placeholders. */
export type HoleArguments<M> = [Holes<M>] extends [never]
  ? []
  : [values: Readonly<Record<Holes<M>, HoleValue>>];

/** Another language's message for the same key: a sentence for a sentence, plural forms for plural forms. */
export type Translation<M> = M extends string ? string : Message;

const HOLE = /\{(\w+)\}/g;

/** The hole names of a message at run time, sorted, each once. */
export function holesOf(message: Message): string[] {
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  const names = forms.flatMap((form) => [...form.matchAll(HOLE)].map(([, name = '']) => name));
  return [...new Set(names)].toSorted();
}

/** Puts `values` into the holes of `text`; a hole without a value keeps its braces, so that it is noticed. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(HOLE, (hole, name: string) => values[name] ?? hole);
}

import type { Field, Values } from './fields.ts';

/** Reads every field from a query string. What is absent or not valid has its initial value. */
export function readFields<F extends object>(fields: F, search: string): Values<F> {
  const query = new URLSearchParams(search);
  const values = entriesOf(fields).map(([name, field]) => {
    const written = query.get(name);
    const value = written === null ? undefined : field.read(written);
    return [name, value === undefined ? field.initial : value];
  });
  return Object.fromEntries(values) as Values<F>;
}

/**
 * The query string `search` with the fields set to `values`: a field at its initial value is left
 * out, other parameters stay as they are.
 * @returns with a leading `?`, or empty
 */
export function writeFields<F extends object>(
  fields: F,
  values: Values<F>,
  search: string,
): string {
  const query = new URLSearchParams(search);
  for (const [name, field] of entriesOf(fields)) {
    const value = values[name];
    if (Object.is(value, field.initial)) query.delete(name);
    else query.set(name, field.write(value));
  }
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}

/** Each field beside its name; the value type of one field is only known to that field. */
function entriesOf<F extends object>(fields: F) {
  return Object.entries(fields) as [keyof F & string, Field<Values<F>[keyof F & string]>][];
}

import type { OtlpAttributes } from './contract/export.ts';

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

const itemsOf = (value: unknown): readonly unknown[] => {
  const items = memberOf(value, 'values');
  return Array.isArray(items) ? items : [];
};

/** A value of an attribute or a body as plain JSON; how deep it nests is bounded where it is parsed. */
export function plainOf(value: unknown): unknown {
  const [kind = '', held] = Object.entries(value ?? {})[0] ?? [];
  const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (read) return read(held);
  return typeof held === 'string' || typeof held === 'boolean' ? held : null;
}

/** Readers of values other than strings and booleans. */
const READERS: Readonly<Record<string, (held: unknown) => unknown>> = {
  intValue: numberOf,
  doubleValue: numberOf,
  arrayValue: (held) => itemsOf(held).map(plainOf),
  kvlistValue: (held) =>
    Object.fromEntries(
      itemsOf(held).map((item) => [
        String(memberOf(item, 'key')),
        plainOf(memberOf(item, 'value')),
      ]),
    ),
};

/** Integers that no number holds exactly stay texts, as do those that are not finite. */
function numberOf(held: unknown): unknown {
  const number = Number(held);
  const isExact = Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact || typeof held === 'number' ? number : String(held);
}

/** A value as text: what is not text already as JSON. */
export function textOf(value: unknown): string {
  const plain = plainOf(value);
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

/** OtlpAttributes as an object; of those with one key the last counts. */
export const objectOf = (attributes: OtlpAttributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainOf(value)]));

export function attributeOf(attributes: OtlpAttributes, wanted: string): string | undefined {
  const found = attributes.findLast(({ key }) => key === wanted);
  return found && textOf(found.value);
}

/** OpenTelemetry's name for a service without one. */
const UNKNOWN = 'unknown_service';

/** The service of a resource, restricted to the characters of a service name. */
export function serviceOf(attributes: OtlpAttributes): string {
  const name = attributeOf(attributes, 'service.name') ?? UNKNOWN;
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[^A-Za-z0-9]+/, '');
  return plain.slice(0, 128) || UNKNOWN;
}

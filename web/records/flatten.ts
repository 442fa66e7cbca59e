/** Nested values by their paths, such as `controls.warmup`; lists stay whole. */
export function flatten(value: unknown, path: string): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [[path, writeValue(value)]];
  }
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    flatten(inner, path === '' ? name : `${path}.${name}`),
  );
}

export function writeValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

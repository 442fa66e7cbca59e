/** A part of a JSON Schema; a pattern as a regular expression. */
export type Rule = Readonly<Record<string, unknown>> & { readonly pattern?: RegExp };

const rules = new WeakMap<object, Rule>();

/** Notes what a check means in JSON Schema, so that the API description says it as well. */
export function says<Check extends object>(rule: Rule, check: Check): Check {
  rules.set(check, rule);
  return check;
}

/** A check as JSON Schema; undefined if it cannot be expressed. */
export const ruleOf = (check: object): Rule | undefined => rules.get(check);

/** This member is there. */
export const has = (name: string): Rule => ({ properties: { [name]: {} }, required: [name] });

/** One of these members is there, and no other of them. */
export const exactlyOne = (...names: readonly string[]): Rule => ({ oneOf: names.map(has) });

/** One of these members is there, or more of them. */
export const atLeastOne = (...names: readonly string[]): Rule => ({ anyOf: names.map(has) });

/** These members are not there together. */
export const notTogether = (one: string, other: string): Rule => ({
  anyOf: [none(one), none(other)],
});

/** None of these members is there. */
export const none = (...names: readonly string[]): Rule => ({
  properties: Object.fromEntries(names.map((name) => [name, false])),
});

/** Where the one holds, the other holds as well. */
export const implies = (condition: Rule, consequence: Rule): Rule => ({
  anyOf: [{ not: condition }, consequence],
});

/** Where the one member is, the other is as well. */
export const needs = (name: string, other: string): Rule => ({
  dependentRequired: { [name]: [other] },
});

/** The whole numbers of a range that begins at 0 or 1, as a query writes them. */
export function wholePattern(least: 0 | 1, most: number): RegExp {
  const digits = String(most);
  const below = Array.from(digits, (digit, at) => {
    const from = at === 0 ? 1 : 0;
    const rest = digits.length - at - 1;
    const lower = `${digits.slice(0, at)}[${from}-${Number(digit) - 1}]${rest > 0 ? `\\d{${rest}}` : ''}`;
    return Number(digit) > from ? [lower] : [];
  });
  const shorter =
    digits.length > 1
      ? ['[1-9]', ...(digits.length > 2 ? [`[1-9]\\d{1,${digits.length - 2}}`] : [])]
      : [];
  const zero = least === 0 ? ['0'] : [];
  return new RegExp(`^(?:${[...zero, ...shorter, ...below.flat(), digits].join('|')})$`);
}

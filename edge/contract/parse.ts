import * as z from 'zod/v4/core';
import en from 'zod/v4/locales/en.js';
import type { ProblemItem } from './problem.ts';
import { Problem } from './refusal.ts';

// The contract is written in zod/mini, which comes without the texts of its errors.
z.config(en());

/** Parses a body once, at the border; past this point types are facts. @throws Problem validation_failed */
export function parseBody<S extends z.$ZodType>(schema: S, input: unknown): z.output<S> {
  const result = z.safeParse(schema, input, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues
    .flatMap(faultsOf)
    .map(({ path, ...fault }) => ({ pointer: pointerOf(path), ...fault }));
  throw new Problem('validation_failed', summaryOf(errors, 'the body'), { errors });
}

/**
 * Parses a query. A name may be repeated where `lists` says so; a repeated or an unknown name is
 * an error otherwise, as a filter that is dropped in silence gives a wrong answer.
 *
 * @throws Problem invalid_parameter
 */
export function parseQuery<S extends z.$ZodType>(
  schema: S,
  url: URL,
  lists: readonly string[] = [],
): z.output<S> {
  const result = z.safeParse(schema, readQuery(url, lists), { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues
    .flatMap(faultsOf)
    .map(({ path, ...fault }) => ({ parameter: String(path[0] ?? ''), ...fault }));
  throw new Problem('invalid_parameter', summaryOf(errors, 'the query'), { errors });
}

function readQuery(url: URL, lists: readonly string[]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const all = url.searchParams.getAll(name);
    const [first = ''] = all;
    values[name] = lists.includes(name) || all.length > 1 ? all : first;
  }
  return values;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly detail: string;
}

function faultsOf(issue: z.$ZodIssue): readonly Fault[] {
  const { code, path, message, input } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ code, path: [...path, key], detail: 'unknown name' }));
  }
  const closest = issue.code === 'invalid_union' ? closestForm(issue.errors) : [];
  if (closest.length > 0) {
    return closest.flatMap(faultsOf).map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  }
  const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? message) : message;
  const value = issue.code === 'invalid_union' ? namedIn(input, path) : input;
  const got = value === undefined ? '' : ` (got ${shown(value)})`;
  return [{ code, path, detail: `${why}${got}` }];
}

/** Discriminator of a value that may have several forms. */
function namedIn(input: unknown, path: readonly PropertyKey[]): unknown {
  const [name] = path.slice(-1);
  const isObject = typeof input === 'object' && input !== null;
  return isObject && name !== undefined && name in input
    ? (input as Readonly<Record<PropertyKey, unknown>>)[name]
    : input;
}

/** Of several forms that a value may have, what is wrong by the one it comes closest to. */
function closestForm(forms: readonly (readonly z.$ZodIssue[])[]): readonly z.$ZodIssue[] {
  return forms.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? [];
}

const sizeOf = (issues: readonly z.$ZodIssue[]) =>
  issues.reduce((sum, issue) => sum + (isOtherForm(issue) ? Infinity : weightOf(issue)), 0);

const weightOf = (issue: z.$ZodIssue) => ('keys' in issue ? issue.keys.length : 1);

/** True if the discriminator is missing: another form was meant. */
function isOtherForm({ code, path, input }: z.$ZodIssue): boolean {
  const [name] = path.slice(-1);
  const isObject = typeof input === 'object' && input !== null;
  return code === 'invalid_union' && name !== undefined && isObject && !(name in input);
}

function summaryOf(errors: readonly ProblemItem[], where: string): string {
  const [first] = errors;
  const place = first?.pointer || first?.parameter || where;
  const rest = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  return `${place}: ${first?.detail ?? 'not valid'}${rest}`;
}

/** RFC 6901: `~` and `/` inside of a name are escaped. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

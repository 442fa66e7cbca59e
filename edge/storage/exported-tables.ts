import type { KeptForm, KeptTable } from '../backup/contract/backup.ts';
import { schemaOf } from './migrate.ts';

/** A value in the JSON of a row; bytes, and numbers that JSON lacks, are tagged. */
type Written =
  | null
  | number
  | string
  | { readonly b: string }
  | { readonly n: 'Infinity' | '-Infinity' | '-0' };

/** The tables of an object and the number of their schema; those that only index others are left out. */
export function formOf(sql: SqlStorage, leftOut: readonly string[]): KeptForm {
  const names = sql
    .exec<{ name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name`,
    )
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !/^(?:sqlite_|_cf_|backup_|migrations$)/.test(name));
  const exported = names.filter((name) => !leftOut.includes(name));
  return {
    schema: schemaOf(sql),
    tables: Object.fromEntries(exported.map((name) => [name, tableOf(sql, name)])),
  };
}

function tableOf(sql: SqlStorage, name: string): KeptTable {
  const columns = sql
    .exec<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name)
    .toArray();
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
  return { columns: columns.map((one) => one.name), key: key.map((one) => one.name) };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The quoted columns of a table, each with a prefix such as `old.`. */
export const listed = (columns: readonly string[], prefix = ''): string =>
  columns.map((column) => prefix + quoted(column)).join(', ');

export function written(value: SqlStorageValue): Written {
  if (value instanceof ArrayBuffer) return { b: base64Of(new Uint8Array(value)) };
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return { n: '-0' };
  return Number.isFinite(value) ? value : { n: value > 0 ? 'Infinity' : '-Infinity' };
}

/** @throws TypeError for anything but a value of a row */
export function read(value: unknown): SqlStorageValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'object' && 'n' in value) return Number(value.n);
  if (typeof value === 'object' && 'b' in value && typeof value.b === 'string') {
    return Uint8Array.from(atob(value.b), (character) => character.charCodeAt(0)).buffer;
  }
  throw new TypeError(`${JSON.stringify(value)} is no value of a row`);
}

/** So many bytes are handed to a function at once: each is an argument. */
const SLICE = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += SLICE) {
    text += String.fromCharCode(...bytes.subarray(from, from + SLICE));
  }
  return btoa(text);
}

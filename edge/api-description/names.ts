import * as digest from '../contract/digest.ts';
import type { Schema } from '../contract/endpoint.ts';
import * as paging from '../contract/paging.ts';
import * as problem from '../contract/problem.ts';
import * as scope from '../contract/scope.ts';
import * as semver from '../contract/semver.ts';
import * as service from '../contract/service.ts';
import * as timestamp from '../contract/timestamp.ts';
import { type ServiceDescription, SERVICES } from './services.ts';

/** Modules whose schemas belong to no single table. */
const SHARED: readonly object[] = [digest, paging, problem, scope, semver, service, timestamp];

/** The names of the contract's schemas. @throws TypeError where two schemas share one */
export function schemaNames(): ReadonlyMap<Schema, string> {
  const tables = Object.values<ServiceDescription>(SERVICES).flatMap(({ tables: own }) => own);
  const modules = [...SHARED, ...tables.flatMap(({ schemas }) => schemas)];
  const names = new Map<Schema, string>();
  const taken = new Set<string>();
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!isZodSchema(schema) || names.has(schema)) continue;
    if (taken.has(name)) throw new TypeError(`two schemas are named ${name}`);
    taken.add(name);
    names.set(schema, name);
  }
  return names;
}

const isZodSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

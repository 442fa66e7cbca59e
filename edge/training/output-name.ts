import { sha256 } from '@noble/hashes/sha2.js';
import { digestOf } from '../contract/digest.ts';
import type { Category, ModelType } from '../contract/training/family-schemas.ts';
import { familyFieldsOf, type JobConfig } from '../contract/training/train-request.ts';

/** Digits of the structure's digest in a name. */
const DIGITS = 8;

/**
 * The name of a result that was given none (ruling A16): made of category and time. The digest of
 * its structure stands behind, so that only models of one structure can become versions of one id.
 */
export function defaultName(
  category: Category | null,
  modelType: ModelType,
  config: JobConfig,
  now = new Date(),
): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const structure = structureDigest(modelType, config).slice('sha256:'.length).slice(0, DIGITS);
  return `${(category ?? modelType).toLowerCase()}-${moment}-${structure}`;
}

/** The same for all runs of one architecture with the same values in every field of it. */
function structureDigest(modelType: ModelType, config: JobConfig): string {
  const fields = Object.entries(familyFieldsOf(modelType, config)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return digestOf(sha256(new TextEncoder().encode(JSON.stringify([modelType, fields]))));
}

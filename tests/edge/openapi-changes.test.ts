import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../edge/api-description/changes.ts';
import type { OpenApiDocument } from '../../edge/api-description/document.ts';
import { documentOf } from '../../edge/api-description/platform.ts';

const text = JSON.stringify(documentOf('gateway'));
const before = JSON.parse(text) as OpenApiDocument;

/** The document with a text in place of another one; the change must be one. */
function changed(from: string, to: string): OpenApiDocument {
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to)) as OpenApiDocument;
}

describe('a client of an earlier description', () => {
  it('is not broken by what stays as it is', () => {
    expect(breakingChanges(before, before)).toEqual([]);
  });

  it.each([
    [
      'an operation that is gone',
      '"/registry/models"',
      '"/registry/list"',
      'GET /registry/models is gone',
    ],
    [
      'a status that is no longer answered',
      '"202":{"description"',
      '"203":{"description"',
      'POST /monitoring/metrics: the status 202 is no longer answered',
    ],
    [
      'a parameter that is gone',
      '"name":"framework","in":"query"',
      '"name":"frame","in":"query"',
      "GET /registry/models: the query's framework is gone",
    ],
    [
      'a member of a body that has to be there now',
      '"required":["model_id","name","version","model_type","framework"]',
      '"required":["model_id","name","version","model_type","framework","job_id"]',
      'POST /registry/models/register: the body/job_id is required',
    ],
    [
      'a member of an answer that may be missing',
      '"required":["status","service","version","uptime_s","checks","timestamp"]',
      '"required":["status","service","version","checks","timestamp"]',
      'GET /health: the answer 200/uptime_s may be missing',
    ],
  ])('is broken by %s', (_, from, to, expected) => {
    expect(breakingChanges(before, changed(from, to))).toContain(expected);
  });

  it('is not broken by a value that an answer gains', () => {
    const after = changed(
      '"enum":["ok","degraded","unavailable"]',
      '"enum":["ok","degraded","unavailable","new"]',
    );

    expect(breakingChanges(before, after)).toEqual([]);
  });
});

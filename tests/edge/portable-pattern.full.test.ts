import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../edge/api-description/platform.ts';
import { patternsIn } from './openapi-schemas.ts';

describe('a pattern of the document', () => {
  const python = spawnSync('python3', ['--version']);
  const texts = [
    '',
    '0',
    '7',
    '٣',
    'a',
    'A',
    'é',
    '_',
    ' ',
    '\r',
    '\u00a0',
    '\u2028',
    '\ud83e\udd9c',
    '-',
    'a:b',
    'http://a',
    '"x"',
    '\u0007',
  ];

  it.skipIf(python.status !== 0)('means the same in Python (needs python3)', () => {
    const script = `
import json, re, sys
asked = json.load(sys.stdin)
print(json.dumps([[bool(re.search(p, t)) for t in asked["texts"]] for p in asked["patterns"]]))`;
    const patterns = patternsIn(documentOf('gateway'));

    const { stdout, stderr } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify({ patterns, texts }),
    });

    expect(String(stderr)).toBe('');
    const here = patterns.map((pattern) =>
      texts.map((text) => new RegExp(pattern, 'u').test(text)),
    );
    expect(JSON.parse(String(stdout))).toEqual(here);
  });
});

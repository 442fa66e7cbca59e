import { describe, expect, it } from 'vitest';
import { parseOrigins } from '../../edge/http/cors.ts';

describe('the origins of CORS_ORIGINS', () => {
  it('are a list, or a text with commas or spaces between', () => {
    const expected = new Set(['https://a.example', 'http://localhost:3000']);

    expect(parseOrigins([...expected])).toEqual(expected);
    expect(parseOrigins('https://a.example, http://localhost:3000')).toEqual(expected);
    expect(parseOrigins('')).toEqual(new Set());
  });

  it.each([
    '*',
    'null',
    'a.example',
    'https://a.example/',
    'https://A.example',
    'https://*.example',
  ])('are refused where one is none: %s', (origin) => {
    expect(() => parseOrigins([origin])).toThrow(JSON.stringify(origin));
  });
});

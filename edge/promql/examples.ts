import type { promqlEndpoints, QueryAnswer } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const query = 'topk(3, sum by (service) (rate(http_requests_total{status="5xx"}[5m])))';

const instant: QueryAnswer = {
  status: 'success',
  data: {
    resultType: 'vector',
    result: [{ metric: { service: 'registry' }, value: [1_795_168_800, '0.25'] }],
  },
};
const range: QueryAnswer = {
  status: 'success',
  data: {
    resultType: 'matrix',
    result: [{ metric: { service: 'registry' }, values: [[1_795_168_800, '0.25']] }],
  },
};
const form = (values: Readonly<Record<string, string>>) => ({
  'application/x-www-form-urlencoded': Object.entries(values)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&'),
});
const span = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T10:10:00Z', step: '60' };

export const promqlExamples: ExamplesOf<typeof promqlEndpoints> = {
  queryInstant: { query: { query }, answers: { 200: instant } },
  queryRange: { query: { query, ...span }, answers: { 200: range } },
  postInstant: { body: form({ query }), answers: { 200: instant } },
  postRange: { body: form({ query, ...span }), answers: { 200: range } },
};

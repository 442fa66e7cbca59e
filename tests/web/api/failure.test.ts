import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { describeFailure } from '../../../web/api/failure.ts';
import { createText } from '../../../web/i18n/text.ts';

const problem = (code: string, retryable = false) =>
  new ProblemError({
    type: `/problems/${code}`,
    title: 'as the server says it',
    status: 404,
    detail: 'There is no model "x".',
    instance: '/registry/models/x',
    code,
    trace_id: 'abc123',
    retryable,
  });
const en = createText('en');
const ja = createText('ja');

describe('describeFailure', () => {
  it('says a problem in the language of the page, with what to quote', () => {
    expect(describeFailure(problem('model_not_found'), en)).toEqual({
      title: 'There is no such model.',
      detail: 'There is no model "x".',
      code: 'model_not_found',
      traceId: 'abc123',
      isRetryable: false,
    });
    expect(describeFailure(problem('model_not_found'), ja).title).toBe(
      '該当するモデルがありません。',
    );
  });

  it.each(['made_up_tomorrow', 'constructor', 'unknown'])(
    'names a code that it has no sentence for: %s',
    (code) => {
      expect(describeFailure(problem(code), en).title).toBe(
        `The request was refused with the code “${code}”.`,
      );
    },
  );

  it('offers a retry only where the server says that it may help', () => {
    expect(describeFailure(problem('overloaded', true), en).isRetryable).toBe(true);
  });

  it('distinguishes a lost network from a page that failed', () => {
    expect(describeFailure(new TypeError('Failed to fetch'), en)).toMatchObject({
      title: 'The gateway cannot be reached.',
      code: 'network',
      isRetryable: true,
    });
    expect(describeFailure(new RangeError('step 9 is not held'), en)).toMatchObject({
      title: 'This part of the page failed.',
      detail: 'step 9 is not held',
    });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { joinQueries, Resource, type ResourceQuery } from '../../web/ui/Resource.tsx';
import { render } from './render.tsx';

const query = (part: Partial<ResourceQuery<string[]>>): ResourceQuery<string[]> => ({
  data: undefined,
  error: null,
  refetch: vi.fn<() => void>(),
  ...part,
});

function show(of: ResourceQuery<string[]>, stale: 'silent' | 'reported' = 'silent') {
  render(
    <Resource
      query={of}
      skeleton={{ lines: 2 }}
      stale={stale}
      isEmpty={({ length }) => length === 0}
      empty={<p>No models</p>}
    >
      {(models) => <p>{models.join(', ')}</p>}
    </Resource>,
  );
}

describe('a resource', () => {
  it('shows its content, or in its place why there is none', async () => {
    show(query({ data: ['tiny', 'large'] }));
    await expect.element(page.getByText('tiny, large')).toBeVisible();
  });

  it('says where there is nothing to show', async () => {
    show(query({ data: [] }));
    await expect.element(page.getByText('No models')).toBeVisible();
  });

  it('shows a failure with a retry', async () => {
    const failed = query({ error: new TypeError('Failed to fetch') });
    show(failed);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();

    expect(failed.refetch).toHaveBeenCalledOnce();
  });

  it('retains its content when a later request fails, and reports that on request', async () => {
    show(query({ data: ['tiny'], error: new TypeError('Failed to fetch') }), 'reported');

    await expect.element(page.getByText('tiny')).toBeVisible();
    await expect.element(page.getByRole('alert')).toBeVisible();
  });

  it('is there once all of several are, and repeats those that failed', () => {
    const failed = query({ error: new Error('down') });
    const here = query({ data: ['tiny'] });
    expect(joinQueries(here, here).data).toEqual([['tiny'], ['tiny']]);

    const joined = joinQueries(here, failed);
    expect(joined).toMatchObject({ data: undefined, error: failed.error });
    void joined.refetch();
    expect(failed.refetch).toHaveBeenCalledOnce();
    expect(here.refetch).not.toHaveBeenCalled();
  });
});

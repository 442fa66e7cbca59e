import { describe, expect, it } from 'vitest';
import { createReportShelf, MAX_REPORTS } from '../../../web/evaluation/report-shelf.ts';
import { reportOf } from './reports.ts';

/** A browser's storage, as much of it as is needed. */
function storage(initial?: string) {
  const entries = new Map(initial === undefined ? [] : [['spikegrid.reports', initial]]);
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}

const namesOn = (shelf: ReturnType<typeof createReportShelf>) =>
  shelf.store.getState().reports.map(({ report }) => report.model.name);

describe('the shelf of reports', () => {
  it('has them again on the next visit, the newest first', () => {
    const stored = storage();
    const shelf = createReportShelf(stored);
    shelf.add(reportOf(1));
    const id = shelf.add(reportOf(2));

    const next = createReportShelf(stored);
    expect(next.store.getState()).toEqual(shelf.store.getState());
    expect(namesOn(next)).toEqual(['runs/model-2', 'runs/model-1']);
    expect(id).toBe('20261121120200000-abababab');
  });

  it('has a report once, however often it is dropped, and none that was removed', () => {
    const shelf = createReportShelf(storage());
    const id = shelf.add(reportOf(1));
    shelf.add(reportOf(2));
    expect(shelf.add(reportOf(1))).toBe(id);
    expect(namesOn(shelf)).toEqual(['runs/model-1', 'runs/model-2']);

    shelf.remove(id);
    expect(namesOn(shelf)).toEqual(['runs/model-2']);
  });

  it('lets the oldest go where there are too many', () => {
    const shelf = createReportShelf(storage());
    for (let minute = 0; minute <= MAX_REPORTS; minute++) shelf.add(reportOf(minute));

    expect(namesOn(shelf)).toHaveLength(MAX_REPORTS);
    expect(namesOn(shelf)).not.toContain('runs/model-0');
  });

  it.each<[string, string]>([
    ['cut off', '[{"evaluation_report'],
    ['of another kind', '{"a": 1}'],
    ['of another version', JSON.stringify([{ ...reportOf(1), evaluation_report_version: 2 }])],
  ])('is empty where what is stored is %s', (_, stored) => {
    expect(namesOn(createReportShelf(storage(stored)))).toEqual([]);
  });

  it('lasts as long as the page where the browser blocks storage', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    const shelf = createReportShelf({ getItem: blocked, setItem: blocked });
    shelf.add(reportOf(1));

    expect(namesOn(shelf)).toEqual(['runs/model-1']);
  });
});

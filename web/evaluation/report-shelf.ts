import { createStore, type StoreApi } from 'zustand/vanilla';
import { type EvaluationReport, parseReport } from '../../engine/index.ts';

/** A report that this browser keeps. */
export interface KeptReport {
  /** The same for the same report, so that one that is dropped twice is there once. */
  readonly id: string;
  readonly report: EvaluationReport;
}

/** The reports that were made or dropped in this browser, the newest first. */
export interface ReportShelf {
  readonly store: StoreApi<{ readonly reports: readonly KeptReport[] }>;
  /** Returns its id. */
  keep(report: EvaluationReport): string;
  remove(id: string): void;
}

const KEY = 'spikegrid.reports';
/** The oldest go first: some 20 kB each, of 5 MB that a browser gives. */
export const MOST_KEPT = 24;

/** @param storage where they are kept; they last as long as the page where it refuses */
export function createReportShelf(storage: Pick<Storage, 'getItem' | 'setItem'>): ReportShelf {
  const store = createStore(() => ({ reports: recall(storage) }));

  function change(reports: readonly KeptReport[]) {
    store.setState({ reports });
    try {
      storage.setItem(KEY, JSON.stringify(reports.map(({ report }) => report)));
    } catch {
      // Full or blocked: they are there until the page is closed.
    }
  }

  return {
    store,
    keep(report) {
      const id = idOf(report);
      const others = store.getState().reports.filter((kept) => kept.id !== id);
      change([{ id, report }, ...others].slice(0, MOST_KEPT));
      return id;
    },
    remove: (id) => change(store.getState().reports.filter((kept) => kept.id !== id)),
  };
}

/** When it was made, and of which model: short enough for an address. */
function idOf({ created_at, model }: EvaluationReport): string {
  const when = created_at.replaceAll(/\D/g, '').slice(0, 17);
  return `${when}-${model.artifact_sha256.slice(0, 8)}`;
}

function recall(storage: Pick<Storage, 'getItem'>): readonly KeptReport[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(readable) : [];
  } catch {
    // Blocked, or cut off.
    return [];
  }
}

/** One that another version of this page wrote may not be readable any more. */
function readable(stored: unknown): readonly KeptReport[] {
  try {
    const report = parseReport('kept', JSON.stringify(stored));
    return [{ id: idOf(report), report }];
  } catch {
    return [];
  }
}

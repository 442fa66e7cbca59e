import { createStore, type StoreApi } from 'zustand/vanilla';
import { type EvaluationReport, parseReport } from '../../engine/index.ts';

/** A report stored in this browser. */
export interface StoredReport {
  /** Derived from the report, so that duplicates are stored once. */
  readonly id: string;
  readonly report: EvaluationReport;
}

/** The reports stored in this browser, newest first. */
export interface ReportShelf {
  readonly store: StoreApi<{ readonly reports: readonly StoredReport[] }>;
  /** Returns its id. */
  add(report: EvaluationReport): string;
  remove(id: string): void;
}

const KEY = 'spikegrid.reports';
/** The oldest go first: some 20 kB each, of 5 MB that a browser gives. */
export const MAX_REPORTS = 24;

/** @param storage where they are stored; if it refuses, they last as long as the page */
export function createReportShelf(storage: Pick<Storage, 'getItem' | 'setItem'>): ReportShelf {
  const store = createStore(() => ({ reports: recall(storage) }));

  function change(reports: readonly StoredReport[]) {
    store.setState({ reports });
    try {
      storage.setItem(KEY, JSON.stringify(reports.map(({ report }) => report)));
    } catch {
      // Full or blocked: they last until the page is closed.
    }
  }

  return {
    store,
    add(report) {
      const id = idOf(report);
      const others = store.getState().reports.filter((stored) => stored.id !== id);
      change([{ id, report }, ...others].slice(0, MAX_REPORTS));
      return id;
    },
    remove: (id) => change(store.getState().reports.filter((stored) => stored.id !== id)),
  };
}

/** The time and model of a report, short enough for an address. */
function idOf({ created_at, model }: EvaluationReport): string {
  const when = created_at.replaceAll(/\D/g, '').slice(0, 17);
  return `${when}-${model.artifact_sha256.slice(0, 8)}`;
}

function recall(storage: Pick<Storage, 'getItem'>): readonly StoredReport[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(readable) : [];
  } catch {
    // Blocked or truncated.
    return [];
  }
}

/** A report of another version of this page may be unreadable. */
function readable(stored: unknown): readonly StoredReport[] {
  try {
    const report = parseReport('kept', JSON.stringify(stored));
    return [{ id: idOf(report), report }];
  } catch {
    return [];
  }
}

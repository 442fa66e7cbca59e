import { EngineError } from '../../engine/index.ts';
import { compareRuns, comparisonText } from './compare.ts';
import { comparisonPage, comparisonSvg } from './comparison-page.ts';
import { readRun } from './read-run.ts';
import { writeWhole } from './run-files.ts';

export interface CompareOptions {
  /** Files to write pictures to. */
  readonly html?: string | undefined;
  readonly svg?: string | undefined;
}

/** Curves of one picture that can be told apart. */
const MAX_RUNS = 12;

/** Compares the runs of folders: writes the files asked for, and returns the tables as text. */
export async function compareFolders(
  folders: readonly string[],
  { html, svg }: CompareOptions,
): Promise<string> {
  if (folders.length === 0 || folders.length > MAX_RUNS) {
    throw new EngineError(
      'invalid-setting',
      `${folders.length} runs were given: expected 1 to ${MAX_RUNS} folders`,
    );
  }
  const runs = await Promise.all(folders.map(readRun));
  const comparison = compareRuns(runs);
  if (html !== undefined) await writeWhole(html, comparisonPage(comparison, runs));
  if (svg !== undefined) await writeWhole(svg, comparisonSvg(comparison, runs));
  return comparisonText(comparison);
}

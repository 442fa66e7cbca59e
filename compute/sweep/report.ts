import { drawParallel, type ParallelAxis, svgPicture } from '../../engine/pictures.ts';
import { escapeMarkup, figureOf, pageOf, sectionOf, tableOf } from '../runs/markup.ts';
import { type SweepResults, tableOfRuns } from './results.ts';

const WIDTH = 960;
const HEIGHT = 420;

/** A sweep as a page of a table and parallel coordinates that needs nothing else. */
export function sweepPage(results: SweepResults): string {
  const { head, rows } = tableOfRuns(results);
  return pageOf(results.file.name, [
    sectionOf('Best run', bestOf(results)),
    sectionOf('Parallel coordinates', pictureOf(results)),
    sectionOf('Runs, the best first', tableOf(head, rows)),
    sectionOf('Sweep', `<pre>${escapeMarkup(JSON.stringify(results.file, undefined, 2))}</pre>`),
  ]);
}

function bestOf({ best, runs, registered, file, id }: SweepResults): string {
  const found = runs.find(({ run }) => run === best);
  if (!found) return '<p>No run has a value.</p>';
  const values = Object.entries(found.values).map(([name, value]) => [name, String(value)]);
  const model = found.model ? `${found.model.model_id} ${found.model.version}` : '-';
  const own = registered ? `${registered.model_id} ${registered.version}` : '-';
  return tableOf(
    [],
    [
      ['run', String(found.run)],
      [file.metric, String(found.value)],
      ...values,
      ['registered as', own],
      ['of the model', model],
      ['sweep', id],
    ],
  );
}

/** An axis for each searched field, and the metric as the last one. */
function pictureOf({ file, runs, best, goal }: SweepResults): string {
  const fields = Object.keys(file.search).map((name): ParallelAxis => ({
    name,
    values: runs.map(({ values }) => values[name] ?? null),
  }));
  const axes = [...fields, { name: file.metric, values: runs.map(({ value }) => value) }];
  const row = runs.findIndex(({ run }) => run === best);
  const title = `${file.name}: ${runs.length} runs`;
  const svg = svgPicture(
    (canvas) => drawParallel(canvas, axes, { goal, ...(row >= 0 && { best: row }) }),
    { width: WIDTH, height: HEIGHT, title },
  );
  return figureOf(`Each line is a run, the stronger the better; the best one is orange.`, svg);
}

import { describe, expect, it } from 'vitest';
import { en } from '../../../web/i18n/en.ts';
import { ja } from '../../../web/i18n/ja.ts';
import { createTextOf } from '../../../web/i18n/text.ts';
import {
  choiceOf,
  FIELDS,
  shownIds,
  withoutShown,
  withShown,
} from '../../../web/screens/evaluate/evaluate-fields.ts';
import { shownReports } from '../../../web/screens/evaluate/reports/shown-report.ts';
import {
  positionsCurve,
  reliabilityCurve,
} from '../../../web/screens/evaluate/views/CurvePlots.tsx';
import { figureRows } from '../../../web/screens/evaluate/views/FiguresTable.tsx';
import { energyGroups, worstOf } from '../../../web/screens/evaluate/views/ReportViews.tsx';
import { enEvaluate, type EvaluateText } from '../../../web/screens/evaluate/words/en-evaluate.ts';
import { jaEvaluate } from '../../../web/screens/evaluate/words/ja-evaluate.ts';
import { readFields } from '../../../web/url-state/codec.ts';
import { classification, classifierReportOf, language, reportOf } from '../evaluation/reports.ts';

const text: EvaluateText = createTextOf(
  { en: { ...en, ...enEvaluate }, ja: { ...ja, ...jaEvaluate } },
  'en',
);
const shown = (...reports: readonly ReturnType<typeof reportOf>[]) =>
  shownReports(
    reports.map((report, index) => ({ id: String(index), report })),
    reports.map((_, index) => String(index)),
    text,
  );

describe('what a link to the screen carries', () => {
  it('is how a model is to be judged', () => {
    const read = (search: string) => choiceOf(readFields(FIELDS, search));

    expect(read('')).toEqual({ split: 'validation', streams: 1 });
    expect(read('?form=windows&windows=64&split=all')).toMatchObject({ split: 'all', windows: 64 });
    expect(read('?streams=999&split=nothing')).toEqual({ split: 'validation', streams: 1 });
  });

  it('is which reports are compared: four at most, each once', () => {
    expect(shownIds({ shown: '' })).toEqual([]);
    expect(withShown(['a', 'b', 'c', 'd'], ['e'])).toBe('b,c,d,e');
    expect(withShown(['a', 'b'], ['a'])).toBe('b,a');
    expect(withoutShown(['a', 'b'], 'a')).toBe('b');
  });
});

describe('reports side by side', () => {
  it('have letters in their order, and the names of their models without folders', () => {
    expect(shown(reportOf(1), reportOf(2)).map(({ name }) => name)).toEqual([
      'A: model-1',
      'B: model-2',
    ]);
  });

  it('have a row for each figure that one of them has, and a gap where another has none', () => {
    const rows = figureRows([reportOf(1), classifierReportOf(2)], text);
    const row = (label: string) => rows.find((one) => one.label === label)?.values;

    expect(row('Nats per character')).toEqual(['1.5000', null]);
    expect(row('Accuracy')).toEqual([null, '70%']);
    expect(row('95% interval')).toEqual(['1.4000 to 1.6000', '40% to 90%']);
    expect(row('Firing rate')).toBeUndefined();
  });
});

describe('the pictures of a report', () => {
  it('place losses in per cent of a text that was read as a stream', () => {
    const [stream] = shown(reportOf(1));

    expect(positionsCurve(stream!)).toEqual({ x: [25.125, 75.125], y: [1.75, 1.25] });
  });

  it('place losses by the tokens of context of a window', () => {
    const [windows] = shown(reportOf(1, { language: { ...language, form: 'windows' } }));

    expect(positionsCurve(windows!).x).toEqual([100.5, 300.5]);
  });

  it('leave out the bins of confidence that nothing fell into', () => {
    expect(reliabilityCurve(reportOf(1))).toEqual({ x: [0.25, 0.9], y: [0.5, 0.8] });
  });

  it('name the mistake that was made most often', () => {
    expect(worstOf(classification.matrix)).toEqual({ truth: 2, answer: 0, count: 2 });
    expect(
      worstOf([
        [3, 0],
        [0, 4],
      ]),
    ).toBeUndefined();
  });

  it('set energies of spikes beside a dense network, and those of numbers alone', () => {
    const energy = {
      ...{ synaptic_ops: 100, compute_pj: 90, dense_compute_pj: 920, with_memory_pj: 15_090 },
      ...{ dense_with_memory_pj: 10_920, break_even_rate: 0.06 },
    };
    const spikes = {
      ...{ total: 10, per_unit: 10, rate: 0.1, neurons: 20, time_steps: 6, layers: [] },
      ...{ synaptic_ops_per_unit: 100, dense_macs_per_unit: 200 },
    };
    const numbers = { ...energy, synaptic_ops: 0, macs: 300, break_even_rate: null };
    const reports = shown(reportOf(1, { spikes, energy }), reportOf(2, { energy: numbers })).map(
      (one) => ({ shown: one, spikes: one.report.spikes, energy: one.report.energy! }),
    );

    const [operations, computing] = energyGroups(reports, text);

    expect(operations?.bars.map(({ name, value, kind }) => [name, value, kind])).toEqual([
      ['A: model-1, spiking', 100, 'solid'],
      ['A: model-1, dense', 200, 'hollow'],
      ['B: model-2, no spikes', 300, 'solid'],
    ]);
    expect(operations?.bars.at(-1)?.text).toBe('300 MACs');
    expect(computing?.bars.map(({ value }) => value)).toEqual([90, 920, 90]);
  });
});

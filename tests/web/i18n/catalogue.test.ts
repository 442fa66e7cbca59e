import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../edge/contract/problem.ts';
import { holesOf, type Message } from '../../../web/i18n/message.ts';
import { english, japanese } from './all-words.ts';

const keys = Object.keys(english);

/** Names, units and formulas that are the same in both languages. */
const SAME_IN_BOTH = new Set([
  'lab/write.sample_top_k',
  'lab/write.top_p',
  'playground/form.top_k',
  'playground/form.top_p',
  'shell.documentTitle',
  'evaluate/data.chosen',
  'evaluate/energy.value',
  'evaluate/engine.wasm',
  'evaluate/engine.webgpu',
  'evaluate/positions.percent',
  'evaluate/report.letter',
  'evaluate/shelf.data',
  'simulator/number.withUnit',
  'simulator/view.axis',
  'simulator/view.hertz',
  'simulator/view.ms',
  'simulator/view.rows',
  'overview/overview.passingOf',
  'overview/neuron.tauValue',
  'neurons/input.dtValue',
  'neurons/plot.hertz',
  'neurons/plot.ms',
  'neurons/plot.withUnit',
  'neurons/preset.Brunel',
  'neurons/said.fixedPoint',
  'chart/series.value',
  'chart/time.reading',
  'chart/time.sentence',
  'metrics/metric.kind',
  'api-docs/in.cookie',
  'jobs/capacity.excluded',
  'jobs/capacity.taker',
  'jobs/field.datasetSize',
  'gateway/list.ms',
  'gateway/list.passingOf',
  'gateway/register.id',
  'alerts/rule.expr',
  'alerts/delivery.status',
  'playground/energy.value',
  'playground/form.curl',
  'playground/form.typescript',
  'plugins/plugin.digest',
  'plugins/settings.withUnit',
  'chart/series.point',
  'chart/traces.point',
  'chart/traces.below',
  'settings/device.webgpu',
  'settings/device.wasm',
  'settings/device.simd',
  'settings/device.relaxedSimd',
  'lab/run.saidPlain',
  // The stream's own names.
  'logs/detail.id',
  'logs/level.critical',
  'lab/setup.webgpu',
  'lab/setup.wasm',
  'brain/ask.class',
  'brain/routes.ms',
  'brain/routes.took',
  'lab/choice.mlp',
  'lab/level.4-gram',
  'lab/level.5-gram',
  'jobs/choice.mlp',
  'memory/node.degree',
  'memory/place.of',
  'memory/score.part',
  'memory/view.json',
  'sensors/live.series',
  'sensors/reading',
  'regions/changes.then',
  'regions/column.latency',
  'regions/history.who',
  'regions/ms',
  'regions/nodes.of',
  'regions/one.placeValue',
  'regions/plan.epochValue',
]);

const formsOf = (message: Message) =>
  typeof message === 'string' ? [message] : Object.values(message);

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(japanese).toSorted()).toEqual(keys.toSorted());
  });

  it('fill the same holes in both languages', () => {
    const differing = keys.filter(
      (key) => holesOf(japanese[key]!).join() !== holesOf(english[key]!).join(),
    );

    expect(differing).toEqual([]);
  });

  it('leave nothing empty or with stray space', () => {
    const untidy = keys.filter((key) =>
      [...formsOf(english[key]!), ...formsOf(japanese[key]!)].some(
        (form) => form === '' || form.trim() !== form,
      ),
    );

    expect(untidy).toEqual([]);
  });

  it('say nothing in English where Japanese is expected', () => {
    const untranslated = keys.filter((key) => {
      const text = formsOf(japanese[key]!).join('');
      return !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text);
    });

    expect(new Set(untranslated)).toEqual(SAME_IN_BOTH);
  });

  it('have a sentence for every problem code of the contract', () => {
    const missing = Object.keys(PROBLEMS).filter((code) => !(`problem.${code}` in english));

    expect(missing).toEqual([]);
  });
});

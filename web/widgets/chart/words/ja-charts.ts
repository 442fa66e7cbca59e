import type { enCharts } from './en-charts.ts';
import type { Translation } from '../../../i18n/message.ts';

export const jaCharts = {
  'chart.view': '{chart} の表示形式',
  'chart.plot': 'グラフ',
  'chart.table': '表',
  'chart.cursor': '{chart} 上のカーソル',
  'chart.noReading': '矢印キーで値を読み取れます。',
  'chart.noData': 'データはまだありません。',
  'chart.failed': 'グラフを描画できませんでした。表に同じ値があります。',
  'chart.export': '{chart} を CSV でダウンロード',

  'series.rising': '{axis} {x} で{name}は {value}、上昇中',
  'series.falling': '{axis} {x} で{name}は {value}、下降中',
  'series.steady': '{axis} {x} で{name}は {value}、横ばい',
  'series.unknown': '{axis} {x} で{name}は {value}',
  'series.point': '{axis} {x}: {values}',
  'series.value': '{name} {value}',
  'series.logScale': '対数目盛',
  'series.smoothing': '平滑化',

  'time.sentence': '{name} {value} ({low}〜{high})',
  'time.reading': '{at}: {values}',
  'time.nothing': '測定なし',
  'time.column': '時刻',

  'raster.sentence': {
    other:
      '{count} 個のニューロン、{steps} ステップの平均発火率は {rate}、{silent} 個は発火していません。',
  },
  'raster.neuron': {
    other: 'ニューロン {neuron}: {steps} ステップで {count} 回のスパイク ({rate})',
  },
  'raster.neuronColumn': 'ニューロン',
  'raster.spikesColumn': 'スパイク',
  'raster.rateColumn': '発火率',
  'raster.neuronAxis': 'ニューロン',
  'raster.stepAxis': 'ステップ {step}',

  'traces.sentence': {
    other: '{name}: {value}、閾値は {threshold}、{steps} ステップで {count} 回のスパイク。',
  },
  'traces.stepName': 'ステップ {step}',
  'traces.point': '{step}: {values}',
  'traces.below': '{name} {value}',
  'traces.fired': '{name} {value} (スパイク)',
  'traces.neuron': 'ニューロン {neuron}',
  'traces.step': 'ステップ',
  'traces.spike': 'スパイク',
  'traces.threshold': '閾値 {value}',

  'bins.bar': { other: '{from} から {to}: {count} 件' },
  'bins.count': '件数',

  'histogram.median': {
    other:
      '{count} 個のニューロン: 発火率の中央値は {rate}、不活性 {dead} 個、飽和 {saturated} 個。',
  },
  'histogram.mean': {
    other: '{count} 個のニューロン: 平均発火率は {rate}、不活性 {dead} 個、飽和 {saturated} 個。',
  },
  'histogram.bin': { other: '{from} から {to}: ニューロン {count} 個' },
  'histogram.deadBin': { other: '不活性 (発火なし): ニューロン {count} 個' },
  'histogram.saturatedBin': { other: '飽和 ({from} 以上): ニューロン {count} 個' },
  'histogram.range': '{from} から {to}',
  'histogram.dead': '不活性',
  'histogram.saturated': '飽和',
  'histogram.rateColumn': '発火率',
  'histogram.neuronsColumn': 'ニューロン',
} satisfies { readonly [Key in keyof typeof enCharts]: Translation<(typeof enCharts)[Key]> };

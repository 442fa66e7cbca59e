/** English texts of the chart widgets. A chart's sentence is one message, so that each language orders it freely. */
export const enCharts = {
  'chart.view': 'View of {chart}',
  'chart.plot': 'Plot',
  'chart.table': 'Table',
  'chart.cursor': 'Cursor over {chart}',
  'chart.noReading': 'Press an arrow key to read values.',
  'chart.noData': 'No data yet.',
  'chart.failed': 'The plot could not be drawn; the table shows the same values.',
  'chart.export': 'Download {chart} as CSV',

  'series.rising': '{name} {value} at {axis} {x}, rising',
  'series.falling': '{name} {value} at {axis} {x}, falling',
  'series.steady': '{name} {value} at {axis} {x}, steady',
  'series.unknown': '{name} {value} at {axis} {x}',
  'series.point': '{axis} {x}: {values}',
  'series.value': '{name} {value}',
  'series.logScale': 'Log scale',
  'series.smoothing': 'Smoothing',

  'time.sentence': '{name} {value}, between {low} and {high}',
  'time.reading': '{at}: {values}',
  'time.nothing': 'no data',
  'time.column': 'Time',

  'raster.sentence': {
    one: '{count} neuron, mean firing rate {rate} over {steps} steps; {silent} silent.',
    other: '{count} neurons, mean firing rate {rate} over {steps} steps; {silent} silent.',
  },
  'raster.neuron': {
    one: 'Neuron {neuron}: {count} spike in {steps} steps ({rate})',
    other: 'Neuron {neuron}: {count} spikes in {steps} steps ({rate})',
  },
  'raster.neuronColumn': 'Neuron',
  'raster.spikesColumn': 'Spikes',
  'raster.rateColumn': 'Firing rate',
  'raster.neuronAxis': 'neuron',
  'raster.stepAxis': 'step {step}',

  'traces.sentence': {
    one: '{name}: {value}, threshold {threshold}; {count} spike in {steps} steps.',
    other: '{name}: {value}, threshold {threshold}; {count} spikes in {steps} steps.',
  },
  'traces.stepName': 'Step {step}',
  'traces.point': '{step}: {values}',
  'traces.below': '{name} {value}',
  'traces.fired': '{name} {value} with a spike',
  'traces.neuron': 'Neuron {neuron}',
  'traces.step': 'Step',
  'traces.spike': 'spike',
  'traces.threshold': 'threshold {value}',

  'bins.bar': { one: '{from} to {to}: {count}', other: '{from} to {to}: {count}' },
  'bins.count': 'Count',

  'histogram.median': {
    one: '{count} neuron: median firing rate {rate}; {dead} dead, {saturated} saturated.',
    other: '{count} neurons: median firing rate {rate}; {dead} dead, {saturated} saturated.',
  },
  'histogram.mean': {
    one: '{count} neuron: mean firing rate {rate}; {dead} dead, {saturated} saturated.',
    other: '{count} neurons: mean firing rate {rate}; {dead} dead, {saturated} saturated.',
  },
  'histogram.bin': {
    one: '{from} to {to}: {count} neuron',
    other: '{from} to {to}: {count} neurons',
  },
  'histogram.deadBin': {
    one: 'Dead, never fired: {count} neuron',
    other: 'Dead, never fired: {count} neurons',
  },
  'histogram.saturatedBin': {
    one: 'Saturated, {from} or more: {count} neuron',
    other: 'Saturated, {from} or more: {count} neurons',
  },
  'histogram.range': '{from} to {to}',
  'histogram.dead': 'Dead',
  'histogram.saturated': 'Saturated',
  'histogram.rateColumn': 'Firing rate',
  'histogram.neuronsColumn': 'Neurons',
} as const;

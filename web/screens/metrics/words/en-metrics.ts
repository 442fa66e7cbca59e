/** What the metrics screen says in English, beside the words of the shell. */
export const enMetrics = {
  'metrics.lead':
    'What the services measure: how much is asked, how often it fails, how long it takes.',
  'bar.region': 'What is shown',
  'bar.service': 'Service',
  'bar.range': 'Time range',
  'bar.custom': 'Custom',
  'bar.from': 'From',
  'bar.to': 'To',
  'bar.badTime': 'Expected a time before the end.',
  'bar.step': 'Step',
  'bar.auto': 'Automatic',
  'bar.live': 'Live',
  'bar.updated': 'Up to {time}',

  'red.title': 'Requests, errors, duration',
  'red.note': 'Of the service {service}, over all of its routes. The cursors move together.',
  'red.rate': 'Rate',
  'red.rateUnit': '{value}/s',
  'red.requests': 'requests',
  'red.errors': 'Errors',
  'red.server': '5xx, the service failed',
  'red.client': '4xx, the caller did',
  'red.duration': 'Duration',

  'metric.title': 'Any metric',
  'metric.note': 'Each series of a metric by itself.',
  'metric.name': 'Metric',
  'metric.agg': 'Aggregation',
  'metric.missing': '{service} reports no metric {metric}: choose one above',
  'metric.choose': 'Choose a metric',
  'metric.more': '{shown} of {total} series are drawn, those with the highest values.',
  'metric.none': 'Nothing was measured in this time.',
  'metric.kind': '{type}, {help}',

  'none.title': 'No metrics yet',
  'none.help':
    'The platform measures itself as soon as it is asked something. Your own program reports with one request:',
  'none.copy': 'Copy the command',
  'none.service': 'Nobody reports as {service}',
} as const;

import { createScreenText } from '../../../i18n/screen-text.ts';
import { jaMetrics } from './ja-metrics.ts';

export const enMetrics = {
  'metrics.lead': 'Metrics of the services: request rate, errors and duration.',
  'bar.region': 'Display options',
  'bar.service': 'Service',
  'bar.range': 'Time range',
  'bar.custom': 'Custom',
  'bar.from': 'From',
  'bar.to': 'To',
  'bar.badTime': 'Enter a time before the end.',
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
  'red.server': '5xx, server errors',
  'red.client': '4xx, client errors',
  'red.duration': 'Duration',

  'metric.title': 'Any metric',
  'metric.note': 'Each series of a metric separately.',
  'metric.name': 'Metric',
  'metric.agg': 'Aggregation',
  'metric.missing': '{service} reports no metric {metric}: choose one above',
  'metric.choose': 'Choose a metric',
  'metric.more': '{shown} of {total} series are drawn, those with the highest values.',
  'metric.kind': '{type}, {help}',

  'none.help':
    'The platform measures itself from its first request on. Your own program can report with one request:',
  'none.copy': 'Copy the command',
  'none.service': 'No metrics from {service}',
} as const;

export const useMetricsText = createScreenText<typeof enMetrics>({ en: enMetrics, ja: jaMetrics });

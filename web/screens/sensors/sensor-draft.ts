import * as z from 'zod/mini';
import {
  encodingFor,
  SENSOR_TYPES,
  type SensorCode,
  type SensorEncodingInput,
} from '../../../edge/sensors/contract/encoding.ts';
import { NewSensor, type NewSensorInput } from '../../../edge/sensors/contract/sensor.ts';
import { parseNumber } from '../../ui/number-input.ts';

/** A registration as it is typed; empty fields are left to the platform. */
export interface SensorDraft {
  readonly id: string;
  readonly type: string;
  readonly unit: string;
  readonly node: string;
  readonly rate: string;
  readonly code: SensorCode | 'usual';
  readonly low: string;
  readonly high: string;
  readonly threshold: string;
}

export const NEW_DRAFT: SensorDraft = {
  id: '',
  type: 'temperature',
  unit: '',
  node: '',
  rate: '',
  code: 'usual',
  low: '',
  high: '',
  threshold: '',
};

export const KNOWN_TYPES = Object.keys(SENSOR_TYPES);

export type DraftField = Exclude<keyof SensorDraft, 'code'>;

interface ReadDraft {
  /** Undefined while something is missing or wrong. */
  readonly sensor: NewSensorInput | undefined;
  /** The fields with invalid, non-empty text. */
  readonly wrong: ReadonlySet<DraftField>;
}

/** Parses a draft and reports its invalid fields. */
export function readDraft(draft: SensorDraft): ReadDraft {
  const sensor = sensorOf(draft);
  const parsed = z.safeParse(NewSensor, sensor);
  const wrong = new Set<DraftField>();
  for (const { path } of parsed.error?.issues ?? []) {
    const field = FIELDS[String(path.at(-1))];
    // An empty field is missing, not wrong.
    if (field && draft[field].trim() !== '') wrong.add(field);
  }
  const hasCode = encodingFor(sensor.type, sensor.encoding) !== undefined;
  if (!hasCode) wrong.add('low').add('high');
  return { sensor: parsed.success && hasCode ? sensor : undefined, wrong };
}

function sensorOf(draft: SensorDraft): NewSensorInput {
  const node = draft.node.trim();
  const encoding = encodingOf(draft);
  return {
    sensor_id: draft.id.trim(),
    type: draft.type.trim(),
    unit: draft.unit.trim(),
    ...(node !== '' && { node_id: node }),
    ...numberAs('rate_hz', draft.rate),
    ...(Object.keys(encoding).length > 0 && { encoding }),
  };
}

const encodingOf = ({ code, low, high, threshold }: SensorDraft): SensorEncodingInput => ({
  ...(code !== 'usual' && { code }),
  ...numberAs('low', low),
  ...numberAs('high', high),
  ...numberAs('threshold', threshold),
});

const ANY_NUMBER = { kind: 'decimal', min: -Number.MAX_VALUE, max: Number.MAX_VALUE } as const;

/** A member for a typed number; NaN, which no schema takes, for other text. */
function numberAs<Name extends string>(name: Name, written: string): { [K in Name]?: number } {
  if (written.trim() === '') return {};
  return { [name]: parseNumber(written, ANY_NUMBER) ?? Number.NaN } as { [K in Name]?: number };
}

const FIELDS: Readonly<Record<string, DraftField>> = {
  sensor_id: 'id',
  type: 'type',
  unit: 'unit',
  node_id: 'node',
  rate_hz: 'rate',
  low: 'low',
  high: 'high',
  threshold: 'threshold',
};

import { Command, Option } from 'commander';
import { callEndpoint } from '../../edge/contract/client.ts';
import { SensorCode, type SensorEncodingInput } from '../../edge/sensors/contract/encoding.ts';
import type { NewSensorInput, SensorRecord } from '../../edge/sensors/contract/sensor.ts';
import { sensorEndpoints } from '../../edge/sensors/endpoints.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { numberOption, objectOption, wholeUpTo } from './numbers.ts';
import { sendReadings } from './sensor-send.ts';
import { watchReadings } from './sensor-watch.ts';

const MOST = Number.MAX_SAFE_INTEGER;

export function sensorCommand(): Command {
  return new Command('sensor')
    .addCommand(registerCommand())
    .addCommand(
      atGateway(new Command('list'), 'memory:read')
        .description('List sensors, latest first.')
        .option('--type <type>', 'of this type')
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(
      atGateway(new Command('send'), 'memory:write')
        .description('Send readings: one number per line, or CSV with a time column.')
        .argument('<sensor>', 'its id')
        .argument('[file]', 'input file (default: standard input)')
        .option('--value <column>', 'value column (default: value, or the last)')
        .option('--time <column>', 'time column (default: time, at or timestamp)')
        .option('--unit <unit>', 'expected unit of the sensor')
        .action(sendReadings),
    )
    .addCommand(
      atGateway(new Command('watch'), 'memory:read')
        .description('Follow readings and their spikes live.')
        .argument('<sensor>', 'its id')
        .option('--after <seq>', 'start after this reading', wholeUpTo(MOST))
        .option('--count <n>', 'exit after this many', wholeUpTo(MOST))
        .option('--json', 'one JSON object per line')
        .action(watchReadings),
    )
    .addCommand(
      atGateway(new Command('delete'), 'memory:write')
        .description('Delete a sensor and its readings; their memories are retained.')
        .argument('<sensor>', 'its id')
        .action(remove),
    );
}

function registerCommand(): Command {
  return atGateway(new Command('register'), 'memory:write')
    .description('Register a sensor, or renew its registration.')
    .argument('<sensor>', 'its id')
    .requiredOption('--type <type>', 'measured quantity, such as temperature')
    .requiredOption('--unit <unit>', 'such as °C')
    .option('--node <id>', 'node of the sensor')
    .option('--rate <hz>', 'sampling rate', numberOption)
    .addOption(
      new Option('--code <code>', 'spike encoding (default: by the type)').choices(
        SensorCode.options,
      ),
    )
    .option('--low <number>', 'reading that gives no spikes', numberOption)
    .option('--high <number>', 'reading that gives the most spikes', numberOption)
    .option('--threshold <number>', 'change per spike', numberOption)
    .option('--namespace <name>', 'memory namespace of its summaries')
    .option('--window <s>', 'length of a summary in seconds', wholeUpTo(86_400))
    .option('--retention <s>', 'retention of readings in seconds', wholeUpTo(366 * 86_400))
    .option('--metadata <json>', 'further members as a JSON object', objectOption)
    .action(register);
}

interface RegisterOptions extends GatewayOptions, SensorEncodingInput {
  readonly type: string;
  readonly unit: string;
  readonly node?: string;
  readonly rate?: number;
  readonly namespace?: string;
  readonly window?: number;
  readonly retention?: number;
  readonly metadata?: Record<string, unknown>;
}

async function register(sensorId: string, options: RegisterOptions): Promise<void> {
  const { type, unit, node, rate, namespace, window, retention, metadata } = options;
  const { code, low, high, threshold } = options;
  const body: NewSensorInput = {
    sensor_id: sensorId,
    type,
    unit,
    node_id: node,
    rate_hz: rate,
    metadata,
    encoding: { code, low, high, threshold },
    namespace,
    window_s: window,
    retention_s: retention,
  };
  const answer = await callEndpoint(openGateway(options), sensorEndpoints.registerSensor, { body });
  console.error(`${answer.status === 201 ? 'registered' : 'renewed'} ${sensorId}`);
  console.log(describeSensor(answer.body));
}

interface ListOptions extends GatewayOptions {
  readonly type?: string;
  readonly json?: true;
}

async function list({ type, json, ...access }: ListOptions): Promise<void> {
  const http = openGateway(access);
  let cursor: string | undefined;
  do {
    const query = { type, limit: 100, cursor };
    const { body } = await callEndpoint(http, sensorEndpoints.listSensors, { query });
    for (const sensor of body.sensors) {
      console.log(json ? JSON.stringify(sensor) : describeSensor(sensor));
    }
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function remove(sensorId: string, options: GatewayOptions): Promise<void> {
  const params = { sensor_id: sensorId };
  const { body } = await callEndpoint(openGateway(options), sensorEndpoints.deleteSensor, {
    params,
  });
  console.error(`deleted ${sensorId} with ${body.readings} readings`);
}

function describeSensor(sensor: SensorRecord): string {
  const { sensor_id, type, unit, encoding, readings, last_reading: last } = sensor;
  const { code, low, high, threshold } = encoding;
  const how = code === 'delta' ? `every ${threshold} ${unit}` : `${low} to ${high} ${unit}`;
  const latest = last ? `${last.value} ${unit} at ${last.at}` : 'none yet';
  return `${sensor_id}  ${type}  ${code} code, ${how}  ${readings} readings, last: ${latest}`;
}

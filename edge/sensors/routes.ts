import type { Env } from '../env.ts';
import { streamEvents } from '../events/stream-events.ts';
import { pageEnd, readCursor, writeCursor } from '../http/cursor.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import { holderOf, quotaRefusal } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { isOwner } from '../memory/namespaces.ts';
import { ownerMeant } from '../memory/owner.ts';
import { boundsOf } from '../memory/usage.ts';
import type { Remote } from '../storage/remote.ts';
import { encodingFor } from './contract/encoding.ts';
import { SensorId } from './contract/sensor.ts';
import { sensorEndpoints } from './endpoints.ts';
import type { Sensors } from './object.ts';
import type { ReadingsSince } from './results.ts';

type Endpoints = typeof sensorEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /v1/sensor/…: registering sensors, storing and following their readings. */
export const sensorRoutes = routesOf<Env, Endpoints>(sensorEndpoints, {
  registerSensor,
  listSensors,
  getSensor,
  deleteSensor,
  storeReadings,
  listReadings,
  readingSeries,
  followReadings: streamReadings,
});

async function registerSensor(call: Handled<'registerSensor'>): Reply<'registerSensor'> {
  const { body, env, caller, prefix } = call;
  const encoding = encodingFor(body.type, body.encoding);
  if (!encoding) throw noRange(body.type);
  const owner = holderOf(caller);
  const asked = { owner, ...boundsOf(caller), sensor: body, encoding };
  const result = await sensorsOf(env, owner).register(asked);
  switch (result.kind) {
    case 'registered': {
      const location = `${prefix}/v1/sensor/sensors/${body.sensor_id}`;
      return { status: 201, body: result.record, headers: { location } };
    }
    case 'renewed':
      return { status: 200, body: result.record };
    case 'other': {
      const { type, unit } = result;
      throw new Problem(
        'already_exists',
        `The sensor ${body.sensor_id} is there with the type ${type} and the unit ${unit}: these do not change.`,
      );
    }
    case 'over-quota':
      throw (
        quotaRefusal(asked.team, { ...SENSOR_QUOTA, used: result.used, settings: env.QUOTAS }) ??
        full()
      );
    case 'full':
      throw full();
  }
}

async function listSensors(call: Handled<'listSensors'>): Reply<'listSensors'> {
  const { owner: _, limit, cursor, ...filters } = call.query;
  const { type, node_id: nodeId } = filters;
  const before = readCursor(cursor, filters);
  const sensors = await sensorsOfOwner(call);
  const found = await sensors?.list({ limit, before, type, nodeId });
  const { sensors: page, total, next } = found ?? { sensors: [], total: 0, next: undefined };
  return { status: 200, body: { sensors: [...page], total, ...pageEnd(next, filters) } };
}

async function getSensor(call: Handled<'getSensor'>): Reply<'getSensor'> {
  const sensorId = idOf(call.params.sensor_id);
  const record = await (await sensorsOfOwner(call))?.find(sensorId);
  if (!record) throw noSensor(sensorId);
  return { status: 200, body: record };
}

async function deleteSensor(call: Handled<'deleteSensor'>): Reply<'deleteSensor'> {
  const sensorId = idOf(call.params.sensor_id);
  const readings = await (await sensorsOfOwner(call))?.remove(sensorId);
  if (readings === undefined) throw noSensor(sensorId);
  return { status: 200, body: { status: 'deleted', sensor_id: sensorId, readings } };
}

async function storeReadings(call: Handled<'storeReadings'>): Reply<'storeReadings'> {
  const { params, body, env, caller } = call;
  const sensorId = idOf(params.sensor_id);
  const { unit, readings } = body;
  const result = await sensorsOf(env, holderOf(caller)).store({ sensorId, unit, readings });
  switch (result.kind) {
    case 'stored':
      return { status: 202, body: result.stored };
    case 'no-sensor':
      throw noSensor(sensorId);
    case 'other-unit': {
      const detail = `expected ${result.unit}, the unit of the sensor (got ${JSON.stringify(unit)})`;
      throw new Problem('validation_failed', `/unit: ${detail}`, {
        errors: [{ pointer: '/unit', code: 'invalid_value', detail }],
      });
    }
    case 'too-many': {
      const retryAfter = String(Math.ceil(result.waitMs / 1000));
      throw new Problem(
        'rate_limited',
        `The sensor sends more than is taken of it for long: try again in ${retryAfter} s.`,
        { headers: { 'retry-after': retryAfter } },
      );
    }
  }
}

async function listReadings(call: Handled<'listReadings'>): Reply<'listReadings'> {
  const sensorId = idOf(call.params.sensor_id);
  const { owner: _, limit, cursor, ...filters } = call.query;
  const { from, to, order } = filters;
  const page = await (
    await sensorsOfOwner(call)
  )?.range(sensorId, {
    from: from === undefined ? 0 : Date.parse(from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
    order,
    limit,
    beyond: cursor === undefined ? undefined : readCursor(cursor, filters),
  });
  if (!page) throw noSensor(sensorId);
  const { next, readings, unit, encoding } = page;
  return {
    status: 200,
    body: {
      sensor_id: sensorId,
      unit,
      encoding,
      readings: [...readings],
      has_more: next !== undefined,
      next_cursor: next === undefined ? null : writeCursor(next, filters),
    },
  };
}

async function readingSeries(call: Handled<'readingSeries'>): Reply<'readingSeries'> {
  const sensorId = idOf(call.params.sensor_id);
  const { from, to, steps } = call.query;
  const series = await (
    await sensorsOfOwner(call)
  )?.series(sensorId, {
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? Date.now() : Date.parse(to),
    steps,
  });
  if (!series) throw noSensor(sensorId);
  return {
    status: 200,
    body: {
      sensor_id: sensorId,
      unit: series.unit,
      from: timeOf(series.from),
      to: timeOf(series.to),
      step_ms: series.stepMs,
      readings: series.points.reduce((sum, { readings }) => sum + readings, 0),
      points: series.points.map((point) => ({ ...point, at: timeOf(point.at) })),
    },
  };
}

async function streamReadings(call: Handled<'followReadings'>): Promise<Response> {
  const { params, query, request } = call;
  const sensorId = idOf(params.sensor_id);
  const after = lastEventId(request.headers) ?? query.after;
  const sensors = await sensorsOfOwner(call);
  const first = await sensors?.follow(sensorId, after, 0);
  if (!sensors || !first) throw noSensor(sensorId);
  return streamEvents(call, rangeOf(first), async (place, waitMs) => {
    const next = wantsEvents(request.headers) && (await sensors.follow(sensorId, place, waitMs));
    return next ? rangeOf(next) : undefined;
  });
}

const rangeOf = ({ readings, seq }: ReadingsSince) => ({
  frames:
    readings.length === 0
      ? ''
      : `id: ${seq}\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`,
  place: seq,
});

const SENSOR_QUOTA = { quota: 'sensors' } as const;

const full = () => new Problem('limit_reached', 'There are as many sensors as one owner may have.');

const timeOf = (at: number) => new Date(at).toISOString();

/**
 * The sensors that a caller asks for; undefined where their owner does not exist.
 *
 * @throws Problem forbidden, as `ownerMeant` does
 */
async function sensorsOfOwner({ env, caller, query }: Meaning) {
  const owner = await ownerMeant({ env, caller }, query.owner);
  const isThere = owner === holderOf(caller) || (await isOwner(env, owner));
  return isThere ? sensorsOf(env, owner) : undefined;
}

type Meaning = Pick<Handled<'getSensor'>, 'env' | 'caller'> & {
  readonly query: { readonly owner?: string | undefined };
};

/** Rejects ids that no sensor can have. @throws Problem sensor_not_found */
function idOf(sensorId: string): string {
  if (SensorId.safeParse(sensorId).success) return sensorId;
  throw noSensor(sensorId);
}

const noSensor = (sensorId: string) =>
  new Problem('sensor_not_found', `There is no sensor ${JSON.stringify(sensorId.slice(0, 64))}.`);

function noRange(type: string): Problem {
  const detail = `expected low below high, and both for a code of the type ${type}`;
  return new Problem('validation_failed', `/encoding: ${detail}`, {
    errors: [{ pointer: '/encoding', code: 'invalid_value', detail }],
  });
}

/** The one object of an owner: nothing of another can be in it. */
const sensorsOf = ({ SENSORS }: Pick<Env, 'SENSORS'>, owner: string): Remote<Sensors> =>
  SENSORS.getByName<Sensors>(owner);

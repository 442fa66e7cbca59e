import type { SensorSize } from './event-list.ts';

/** A stream of events that the header of an AEDAT 4.0 file describes. */
export interface EventStream {
  readonly id: number;
  readonly sensor?: SensorSize;
}

/** A node that opens or closes, or an attribute with its text. */
const MARKS = /<node\b([^<>]*)>|<(\/)node>|<attr\b([^<>]*)>([^<>]*)<\/attr>/g;
const EVENTS = 'EVTS';
const STREAMS = 'outInfo';
const MAX_DEPTH = 100;

/**
 * The streams of events in the description of a recording: XML, of which nodes, their names and attributes are
 * read. `outInfo` has a node for each stream, named by its number, and in it `info` with the sensor.
 */
export function eventStreams(description: string): readonly EventStream[] {
  const kinds = new Map<string, string>();
  const sides = new Map<string, number>();
  for (const { path, key, text } of attributesOf(description)) {
    const [outer, stream = '', part] = path.slice(path.indexOf(STREAMS));
    if (outer !== STREAMS) continue;
    if (part === undefined && key === 'typeIdentifier') kinds.set(stream, text.trim());
    if (part === 'info' && /^size[XY]$/.test(key)) sides.set(`${stream} ${key}`, Number(text));
  }
  return [...kinds]
    .filter(([id, kind]) => kind === EVENTS && /^\d{1,9}$/.test(id))
    .map(([id]) => {
      const [width, height] = [sides.get(`${id} sizeX`), sides.get(`${id} sizeY`)];
      const sensor = isSide(width) && isSide(height) ? { sensor: { width, height } } : {};
      return { id: Number(id), ...sensor };
    });
}

interface Attribute {
  /** Names of the nodes around it, which the next mark changes. */
  readonly path: readonly string[];
  readonly key: string;
  readonly text: string;
}

function* attributesOf(description: string): Generator<Attribute> {
  const path: string[] = [];
  for (const [, opened, closed, attribute, text = ''] of description.matchAll(MARKS)) {
    if (attribute !== undefined) yield { path, key: valueOf(attribute, 'key'), text };
    else if (closed !== undefined) path.pop();
    else if (opened?.endsWith('/') === false && path.length < MAX_DEPTH) {
      path.push(valueOf(opened, 'name'));
    }
  }
}

const isSide = (side: number | undefined): side is number =>
  side !== undefined && Number.isInteger(side) && side >= 1 && side <= 0x8000;

function valueOf(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}

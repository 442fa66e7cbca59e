import type { Draws } from './draws.ts';
import { mutateBytes, WORDS } from './mutate.ts';

/** How deep a value is wrapped at most: far deeper than any body may be. */
const DEEPEST = 150_000;
/** Of a member; what writes JSON stops at some thousands. */
const DEEP = 700;
const MAX_ITEMS = 2000;
const MAX_GROWTH = 1 << 14;
/** Values of every type, and numbers at the edges of what they are kept in. */
const LEAVES: readonly unknown[] = [
  ...[null, true, false, '', 'text', [], {}, [[]], { a: 1 }, 0, -1, 1, 0.5, -0.5, 1e308, -1e308],
  ...[2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 5e-324, 1e21],
];

/** Some changes to a value of JSON, as text; every fourth case also has bytes changed. */
export function mutateJson(seeds: readonly Uint8Array[], draws: Draws): Uint8Array {
  const seed = draws.pick(seeds) ?? new Uint8Array();
  const root: unknown[] = [JSON.parse(new TextDecoder().decode(seed))];
  for (let left = 1 + draws.below(4); left > 0; left--) changeSomewhere(root, draws);
  const text = JSON.stringify(root[0]) ?? 'null';
  const bytes = new TextEncoder().encode(draws.chance(0.003) ? nested(text, draws) : text);
  return draws.chance(0.25) ? mutateBytes([bytes, ...seeds], draws) : bytes;
}

function nested(text: string, draws: Draws): string {
  const depth = draws.pick([90, 101, 5000, DEEPEST] as const);
  const [open, close] = draws.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return open.repeat(depth) + text + close.repeat(depth);
}

type Container = Record<string, unknown> | unknown[];

function changeSomewhere(root: unknown[], draws: Draws): void {
  let at: Container = root;
  for (;;) {
    const keys = Object.keys(at);
    const key = draws.pick(keys);
    if (key === undefined) return addMember(at, draws);
    const child: unknown = Reflect.get(at, key);
    const isContainer = typeof child === 'object' && child !== null;
    if (isContainer && draws.chance(0.75)) at = child as Container;
    else return changeMember(at, key, draws);
  }
}

function changeMember(at: Container, key: string, draws: Draws): void {
  const old: unknown = Reflect.get(at, key);
  const put = (value: unknown) => {
    Object.defineProperty(at, key, { value, writable: true, enumerable: true, configurable: true });
  };
  switch (draws.below(8)) {
    case 0:
      if (Array.isArray(at)) at.splice(Number(key), 1);
      else Reflect.deleteProperty(at, key);
      return;
    case 1:
      return addMember(at, draws);
    case 2:
      return put(wrapped(old, key, draws));
    case 3:
      return put(repeated(old, draws.below(draws.chance(0.05) ? MAX_ITEMS : 4)));
    case 4:
      return put(draws.pick(WORDS));
    case 5:
      return put(changedLeaf(old, draws));
    default:
      return put(structuredClone(draws.pick(LEAVES)));
  }
}

function wrapped(value: unknown, key: string, draws: Draws): unknown {
  let inner = value;
  for (let left = draws.chance(0.02) ? DEEP : 1; left > 0; left--) {
    inner = draws.chance(0.5) ? [inner] : { [key]: inner };
  }
  return inner;
}

/** As often as a case may grow by. */
function repeated(value: unknown, times: number): unknown[] {
  const length = 1 + (JSON.stringify(value)?.length ?? 0);
  return Array.from({ length: Math.min(times, Math.floor(MAX_GROWTH / length)) }, () => value);
}

function addMember(at: Container, draws: Draws): void {
  const value: unknown = structuredClone(draws.pick(LEAVES));
  if (Array.isArray(at)) at.push(value);
  else {
    const name = draws.pick(WORDS);
    Object.defineProperty(at, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

/** The same kind of value, but a bit off. */
function changedLeaf(old: unknown, draws: Draws): unknown {
  if (typeof old === 'number') return old + draws.pick([-1, 1, 0.5, 1e9, -1e9] as const);
  if (typeof old !== 'string') return old;
  const at = draws.below(old.length + 1);
  if (draws.chance(0.1)) return old.slice(0, at) + old.slice(at).repeat(draws.below(300));
  return old.slice(0, at) + draws.pick(WORDS) + old.slice(at + draws.below(3));
}

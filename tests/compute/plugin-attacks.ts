import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openOutside,
  type Outside,
  tryAll,
  waysToMachine,
  waysToNetwork,
} from './plugin-escapes.ts';
import { writePlugin } from './plugin-folders.ts';
import { newRoot, open, running } from './plugin-system.ts';

const attack = (body: string, permissions: readonly string[]) =>
  running({ body, manifest: { permissions } });

/** A plugin does something, by this body, and the reason for which it is put out of service. */
type Case = readonly [what: string, body: string, reason: RegExp];

/** Uses up what it has been given. */
export const GREED: readonly Case[] = [
  [
    'loops without end once it has responded',
    'setTimeout(() => { for (;;); }); return {};',
    /^it used 200 ms of processor time while nothing was asked of it$/,
  ],
  [
    'fills memory with arrays',
    'const kept = []; for (let i = 0; i < 400; i++) kept.push(new Uint8Array(1e7).fill(1)); return {};',
    /allocation failed|more memory/,
  ],
  [
    'fills the memory of WASM',
    `const memory = new WebAssembly.Memory({ initial: 1 });
       for (let i = 0; i < 400; i++) { memory.grow(160); new Uint8Array(memory.buffer).fill(1); } return {};`,
    /grow|allocation|more memory/,
  ],
];

// The runner of a plugin sends through these, so the plugin controls the messages.
const sends = (json: string) => `JSON.stringify = ({ id }) => ${json}; return {};`;

/** Answers or sends what its host would choke on. */
export const MESSAGES: readonly Case[] = [
  ['answers too much', 'return { value: "x".repeat(5e6) };', /bytes of JSON, expected up to/],
  [
    'answers too many values',
    'return { value: Array.from({ length: 6e5 }, () => 1) };',
    /more values, expected up to 500000/,
  ],
  [
    'answers too deep',
    'let value = []; for (let i = 0; i < 1e4; i++) value = [value]; return { value };',
    /nested deeper/,
  ],
  ['sends what is too deep', sends('"[".repeat(1e6) + "]".repeat(1e6)'), /nested deeper/],
  ['sends no JSON', sends('"{"'), /it is no JSON/],
  ['sends too many lists', sends('`[${"[],".repeat(6e5)}0]`'), /more values/],
  ['sends what is no message', sends('\'{"kind":"settle","id":1}\''), /no message/],
  [
    'sends members of all objects',
    sends(
      '`{"kind":"result","id":${id},"result":{"ok":true,"value":{"__proto__":{"polluted":1}}}}`',
    ),
    /named __proto__/,
  ],
  [
    'lies about how much it sends',
    'Uint32Array = function () { return new Float32Array([1e38, 1e38]); }; return {};',
    /bytes of (JSON|arrays), expected up to/,
  ],
];

/** Looks for ways out, and floods its host: a plugin with these permissions. */
export function tryEscapes(permissions: readonly string[]): void {
  let outside: Outside;
  beforeAll(async () => {
    outside = await openOutside();
  });
  afterAll(() => outside[Symbol.asyncDispose]());

  it('finds no way to the network', async () => {
    const before = outside.reached();
    const { manager, mine } = await attack(tryAll(waysToNetwork(outside)), permissions);

    expect(await manager.executePlugin(mine, {})).toEqual({ value: [] });
    expect(outside.reached()).toBe(before);
  });

  it('finds no way to files, processes and what the host knows', async () => {
    const { manager, mine } = await attack(tryAll(waysToMachine(outside)), permissions);

    expect(await manager.executePlugin(mine, {})).toEqual({ value: [] });
  });

  it('slows itself alone where it floods its host', async () => {
    const flood = `
      for (let i = 0; i < 3000; i++) { this.context.log('info', 'x'.repeat(5000)); if (i % 50 === 0) await 0; }
      console.log('x'.repeat(1e6)); return {};`;
    const { manager, mine } = await attack(flood, permissions);
    const executed = manager.executePlugin(mine, {});

    const other = await writePlugin(newRoot(), 'Other', { body: 'return { value: 1 };' });
    const beside = await open(other);
    await beside.activateAll();
    for (let i = 0; i < 20; i++) {
      expect(await beside.executePlugin(beside.findPlugin('Other')!, {})).toEqual({ value: 1 });
    }
    await executed;
    expect(manager.logsOf(mine).length).toBeLessThanOrEqual(500);
  });
}

/** Misbehaves in each of these ways: a plugin with these permissions. */
export function misbehave(permissions: readonly string[], cases: readonly Case[]): void {
  const limits = { heapMb: 32, idleMs: 200 };
  it.each(cases)('that %s is put out of service; the others go on', async (_, body, reason) => {
    const root = newRoot();
    await writePlugin(root, 'Mine', { body, manifest: { permissions } });
    await writePlugin(root, 'Other', { body: 'return { value: 1 };' });
    const manager = await open(root, { loader: { limits } });
    await manager.activateAll();
    const mine = manager.findPlugin('Mine')!;
    const other = manager.findPlugin('Other')!;

    const executed = manager.executePlugin(mine, {}).catch(() => {});
    expect(await manager.executePlugin(other, {})).toEqual({ value: 1 });
    await executed;
    const statusOf = () => manager.inspectPlugin(mine)?.status;
    await expect.poll(statusOf, { timeout: 30_000 }).toBe('ERROR');

    expect(manager.inspectPlugin(mine)?.reason).toMatch(reason);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await manager.executePlugin(other, {})).toEqual({ value: 1 });
    expect(await manager.initializePlugin(mine)).toBe(true);
  });
}

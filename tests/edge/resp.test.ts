import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RelayInbox } from '../../edge/logs/redis/relay-inbox.ts';
import {
  encodeCommand,
  parseRedisAddress,
  RedisRefusal,
  type Reply,
  ReplyReader,
} from '../../edge/logs/redis/resp.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => new ReplyReader().push(bytesOf(text));

/** A reply as Redis writes it. */
function written(reply: Reply): string {
  if (typeof reply === 'string') return `$${bytesOf(reply).byteLength}\r\n${reply}\r\n`;
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply === null) return '$-1\r\n';
  if (reply instanceof RedisRefusal) return `-${reply.message}\r\n`;
  return `*${reply.length}\r\n${reply.map(written).join('')}`;
}

describe('a reply of Redis', () => {
  it('is of any of the types of RESP2', () => {
    expect(read('+OK\r\n:12\r\n$-1\r\n*-1\r\n-ERR no\r\n$2\r\n発\r\n'.replace('$2', '$3'))).toEqual(
      ['OK', 12, null, null, new RedisRefusal('ERR no'), '発'],
    );
  });

  it('is the same in whatever pieces it comes', () => {
    const leaf = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null));
    const reply: fc.Arbitrary<Reply> = fc.oneof(leaf, fc.array(fc.oneof(leaf, fc.array(leaf))));
    fc.assert(
      fc.property(fc.array(reply), fc.array(fc.nat(12), { minLength: 1 }), (replies, sizes) => {
        const bytes = bytesOf(replies.map(written).join(''));
        const reader = new ReplyReader();
        const got: Reply[] = [];
        for (let at = 0, i = 0; at < bytes.byteLength; i++) {
          const size = (sizes[i % sizes.length] ?? 0) + 1;
          got.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }

        expect(got).toEqual(replies);
      }),
    );
  });

  it.each([
    ...['hello\r\n', '$x\r\n', '*1e3\r\n', '$-3\r\n', '*-2\r\n'],
    ...['*1\r\n'.repeat(10_000)],
  ])('is not %j', (text) => {
    expect(() => read(text)).toThrow(/expected|deeper than 8/);
  });
});

describe('a command', () => {
  it('counts its words in bytes', () => {
    expect(new TextDecoder().decode(encodeCommand(['PUBLISH', '発', '']))).toBe(
      '*3\r\n$7\r\nPUBLISH\r\n$3\r\n発\r\n$0\r\n\r\n',
    );
  });
});

describe('the address of a Redis', () => {
  it.each([
    ['redis://host', { hostname: 'host', port: 6379, isSecure: false, password: '' }],
    ['redis://:p%40ss@host:7000', { port: 7000, username: '', password: 'p@ss' }],
    ['rediss://me:pass@[::1]:1/0', { hostname: '::1', isSecure: true, username: 'me' }],
  ])('is read from %s', (setting, expected) => {
    expect(parseRedisAddress(setting)).toMatchObject(expected);
  });

  it.each(['http://host', 'host:6379', 'redis://'])('is not %s', (setting) => {
    expect(() => parseRedisAddress(setting)).toThrow(
      /^DISTRIBUTED_WS_REDIS is an address with the scheme/,
    );
  });
});

describe('messages of other platforms', () => {
  const relayed = (origin: string, count: number) => JSON.stringify({ origin, count, logs: [LOG] });
  const LOG = {
    type: 'log',
    id: 'log_1',
    timestamp: '2026-11-20T10:00:00Z',
    level: 'info',
    source: 'far',
    module_type: null,
    event: null,
    message: 'far away',
    data: null,
    trace_id: null,
    owner: 'local',
    team: 'default',
  };

  it('are processed once, and never our own', () => {
    const inbox = new RelayInbox('own');

    expect(inbox.take(relayed('own', 1))).toEqual([]);
    expect(inbox.take(relayed('far', 1))).toEqual([LOG]);
    expect(inbox.take(relayed('far', 1))).toEqual([]);
    expect(inbox.take(relayed('other', 1))).toEqual([LOG]);
    expect(inbox.take(relayed('far', 2))).toEqual([LOG]);
  });

  it.each([
    ['no JSON', 'is not valid JSON'],
    ['{}', 'origin'],
    ['{"origin":"far","count":1,"logs":[{"message":"x"}]}', 'timestamp'],
  ])('is refused where it is %s', (text, why) => {
    expect(() => new RelayInbox('own').take(text)).toThrow(why);
  });
});

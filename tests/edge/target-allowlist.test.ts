import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isPublicIp, parseIp } from '../../edge/http/ip-address.ts';
import { checkTarget, parseAllowlist } from '../../edge/gateway/target-allowlist.ts';

import { postJson, root } from './harness.ts';
import { startUpstream } from './upstream.ts';

const publicOnly = parseAllowlist(['*']);
const allows = (url: string, list: readonly string[]) => checkTarget(url, parseAllowlist(list)).ok;

describe('what is not public', () => {
  // Loopback, link-local with the metadata of clouds, private networks, and their other spellings.
  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.0.0.1',
    'http://0177.0.0.1',
    'http://017700000001',
    'http://127.0.0.1.',
    'http://127.0.0.1..',
    'http://１２７.０.０.１',
    'http://%31%32%37.0.0.1',
    'http://0',
    'http://0.0.0.0:8000',
    'http://10.1.2.3',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://169.254.169.254/latest/meta-data',
    'http://0xa9fea9fe',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::]',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::10.0.0.1]',
    'http://[64:ff9b:1::1]',
    'http://[2002:7f00:1::]',
    'http://[2001::1]',
    'http://[fe80::1]',
    'http://[fd00:ec2::254]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://localhost',
    'http://LOCALHOST.:80',
    'http://localhost..',
    'http://a.localhost',
    'http://metadata.google.internal',
    'http://printer.local',
    'http://router',
    'http://x.home.arpa',
  ])('%s is refused by default', (url) => {
    expect(checkTarget(url, publicOnly)).toMatchObject({ ok: false });
  });

  it('is what it is in every spelling of an address', () => {
    const loopback = fc.integer({ min: 0x7f000000, max: 0x7fffffff });
    const spelling = fc.constantFrom<(ip: number) => string>(
      (ip) => String(ip),
      (ip) => `0x${ip.toString(16)}`,
      (ip) => `0${ip.toString(8)}`,
      (ip) => `127.${ip & 0xffffff}`,
      (ip) => `0x7f.0${((ip >> 16) & 255).toString(8)}.${ip & 0xffff}`,
      (ip) => `[::ffff:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}]`,
      (ip) => `[2002:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}::1]`,
      (ip) => `[0:0:0:0:0:FFFF:${[24, 16, 8, 0].map((shift) => (ip >> shift) & 255).join('.')}]`,
    );
    fc.assert(
      fc.property(loopback, spelling, (ip, write) => {
        const url = `http://${write(ip)}:8002/`;
        expect(checkTarget(url, publicOnly).ok).toBe(false);
        expect(allows(url, ['127.0.0.0/8'])).toBe(true);
      }),
      { seed: 7 },
    );
  });
});

describe('what is public', () => {
  it.each([
    ['https://inference.example.com/base', 'https://inference.example.com/base'],
    ['http://8.8.8.8', 'http://8.8.8.8/'],
    ['http://134744072:8080', 'http://8.8.8.8:8080/'],
    ['http://[2606:4700::1111]', 'http://[2606:4700::1111]/'],
    ['http://EXAMPLE.com.', 'http://example.com./'],
  ])('%s is allowed by default, kept as %s', (url, kept) => {
    expect(checkTarget(url, publicOnly)).toEqual({ ok: true, url: kept });
  });
});

describe('an address that is none of a service', () => {
  it.each([
    ['ftp://example.com', 'not http'],
    ['file:///etc/passwd', 'not http'],
    ['http://user:secret@example.com', 'credentials'],
    ['http://example.com/?a=1', 'query'],
    ['http://example.com/#a', 'fragment'],
    ['http://', 'not an address'],
    ['http://[::1', 'not an address'],
    ['http://256.256.256.256', 'not an address'],
    ['nonsense', 'not an address'],
  ])('%s is refused: %s', (url, why) => {
    expect(checkTarget(url, parseAllowlist(['*', '0.0.0.0/0']))).toEqual({
      ok: false,
      reason: expect.stringContaining(why),
    });
  });
});

describe('an entry', () => {
  it.each([
    ['localhost', 'http://localhost:1', true],
    ['localhost', 'http://a.localhost', false],
    ['localhost:8002', 'http://localhost:8002', true],
    ['localhost:8002', 'http://localhost:8003', false],
    ['example.com:443', 'https://example.com', true],
    ['*.svc.internal', 'http://a.b.svc.internal', true],
    ['*.svc.internal', 'http://svc.internal', false],
    ['*.svc.internal', 'http://evilsvc.internal', false],
    ['Example.COM', 'http://example.com', true],
    ['10.0.0.0/8', 'http://10.255.0.1:9', true],
    ['10.0.0.0/8', 'http://11.0.0.1', false],
    ['10.0.0.0/8', 'http://10.0.0.1.nip.io', false],
    ['127.0.0.1:8002', 'http://127.0.0.1:8002', true],
    ['127.0.0.1:8002', 'http://127.0.0.1:8003', false],
    ['[::1]:8002', 'http://[::1]:8002', true],
    ['::1', 'http://[::1]', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['fd00::/8', 'http://[fe80::1]', false],
    ['::ffff:10.0.0.1', 'http://10.0.0.1', true],
  ])('%s, asked about %s: %s', (entry, url, expected) => {
    expect(allows(url, [entry])).toBe(expected);
  });

  it.each(['http://x', 'a b', '10.0.0.0/33', '1.2.3', '*.', 'x:99999999', '**', '[::1', 'a/8'])(
    '%s is a fault of the configuration',
    (entry) => {
      expect(() => parseAllowlist([entry])).toThrow(JSON.stringify(entry));
    },
  );

  it('may stand in one text with commas; an empty list allows nothing', () => {
    expect(parseAllowlist('*, 10.0.0.0/8').written).toEqual(['*', '10.0.0.0/8']);
    expect(checkTarget('http://example.com', parseAllowlist(''))).toMatchObject({
      reason: expect.stringContaining('TARGET_ALLOWLIST: nothing'),
    });
    expect(() => parseAllowlist(5)).toThrow('must be a list');
  });
});

describe('reading addresses', () => {
  it('takes back what it wrote, whatever the zeros', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const value = groups.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n);
        const text = groups.map((part) => part.toString(16)).join(':');
        expect(parseIp(text)).toEqual({ bits: 128, value });
        expect(parseIp(new URL(`http://[${text}]`).hostname)).toEqual({ bits: 128, value });
      }),
      { seed: 7 },
    );
  });

  it('never finds text without digits or colons to be an address, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ip = parseIp(text);
        expect([true, false, undefined]).toContain(ip && isPublicIp(ip));
        expect(ip === undefined || /[0-9:]/.test(text)).toBe(true);
      }),
      { seed: 7 },
    );
  });

  it('never throws for any URL and list', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.domain(), (url, name) => {
        const check = checkTarget(url, parseAllowlist([name]));
        expect(check.ok).toBe(new URL(url).hostname === name && !url.includes('?'));
      }),
      { seed: 7 },
    );
  });
});

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-names-'));
const withNames = ['-rm', 'sh', '-c', 'mount --bind "$0/hosts" /etc/hosts && exec "$@"', folder];
writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost rebound.example.com named.example.com\n');
const canName = spawnSync('unshare', [...withNames, 'true']).status === 0;
afterAll(() => rmSync(folder, { recursive: true }));

// Takes namespaces of users and mounts, as most kernels of Linux have them.
describe.skipIf(!canName)('a public name that was pointed at this machine', () => {
  it('is not connected to, unless the list names it', async () => {
    const seen: string[] = [];
    await using upstream = await startUpstream(({ headers, url }, response) => {
      seen.push(`${headers.host?.split(':')[0]} ${url}`);
      response.end('reached');
    });
    const { port } = new URL(upstream.url);
    const vars = JSON.stringify({ TARGET_ALLOWLIST: ['*', '127.0.0.0/8', 'named.example.com'] });
    const program = fileURLToPath(new URL('edge-process.ts', import.meta.url));
    const command = [...withNames, process.execPath, program, root, folder, vars];
    const platform = spawn('unshare', command, { stdio: ['pipe', 'pipe', 'ignore'] });
    const [href] = (await once(createInterface(platform.stdout), 'line')) as [string];
    const statusOf = async (name: string) => {
      const url = `http://${name}.example.com:${port}`;
      expect((await postJson(new URL('/services/register', href), { name, url })).status).toBe(201);
      return (await fetch(new URL(`/${name}/x`, href))).status;
    };

    const rebound = await statusOf('rebound');
    const named = await statusOf('named');
    platform.stdin.end();
    await once(platform, 'exit');

    // Its first probe may have found it out before it is called.
    expect([502, 503]).toContain(rebound);
    expect(named).toBe(200);
    expect(seen).toContain('named.example.com /x');
    expect(seen.filter((one) => one.startsWith('rebound'))).toEqual([]);
  });
});

/** An IP address as the number it is. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that share their first `prefix` bits with `base`. */
export interface IpRange {
  readonly base: IpAddress;
  readonly prefix: number;
}

/** Reads `127.0.0.1`, `::1` or `[::1]`; undefined where it is no address, however close it looks. */
export function parseIp(text: string): IpAddress | undefined {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  return bare.includes(':') ? parseIpv6(bare) : parseIpv4(bare);
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or an address, which is a range of one. */
export function parseRange(text: string): IpRange | undefined {
  const [, address = '', length] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const base = parseIp(address);
  if (!base) return undefined;
  const prefix = length === undefined ? base.bits : Number(length);
  return prefix <= base.bits ? { base, prefix } : undefined;
}

export function isWithin({ bits, value }: IpAddress, { base, prefix }: IpRange): boolean {
  const rest = BigInt(base.bits - prefix);
  return bits === base.bits && value >> rest === base.value >> rest;
}

/**
 * The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), else the
 * address itself: a packet to `::ffff:127.0.0.1` goes to 127.0.0.1.
 */
export function unwrapIp(address: IpAddress): IpAddress {
  if (address.bits === 32) return address;
  const inner = CARRIERS.find(({ range }) => isWithin(address, range));
  if (!inner || address.value <= 1n) return address;
  return { bits: 32, value: (address.value >> BigInt(inner.shift)) & 0xffff_ffffn };
}

/** True for globally routable addresses. */
export function isPublicIp(address: IpAddress): boolean {
  const real = unwrapIp(address);
  if (real.bits === 32) return !SPECIAL_V4.some((range) => isWithin(real, range));
  return isWithin(real, GLOBAL_V6) && !SPECIAL_V6.some((range) => isWithin(real, range));
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return;
  const bytes = parts.map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return { bits: 32, value: bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) };
}

/** The parser of URLs brings every spelling to groups of hex digits with at most one `::`. */
function parseIpv6(text: string): IpAddress | undefined {
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = '', tail] = host.split('::');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  const groups = [...front, ...zeros, ...back];
  return {
    bits: 128,
    value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n),
  };
}

const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));

function known(text: string): IpRange {
  const range = parseRange(text);
  if (!range) throw new TypeError(`${text} is no range of addresses`);
  return range;
}

/** IPv6 ranges that carry an IPv4 address, and how far it lies from the last bit. */
const CARRIERS = [
  { range: known('::ffff:0:0/96'), shift: 0 },
  { range: known('::/96'), shift: 0 },
  { range: known('64:ff9b::/96'), shift: 0 },
  { range: known('2002::/16'), shift: 80 },
];

/** IANA's special-purpose registry, multicast, and the host address of one large cloud. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map(known);

const GLOBAL_V6 = known('2000::/3');
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '3fff::/20'].map(known);

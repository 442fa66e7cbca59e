import {
  type IpAddress,
  type IpRange,
  isPublicIp,
  isWithin,
  parseIp,
  parseRange,
  unwrapIp,
} from '../http/ip-address.ts';

interface Host {
  /** Lowercase, without trailing dots. */
  readonly name: string;
  readonly ip: IpAddress | undefined;
  readonly port: number;
}

/** One entry of TARGET_ALLOWLIST, as a predicate over hosts. */
type Pattern = (host: Host) => boolean;

/** The hosts that may be targets. */
export interface Allowlist {
  readonly written: readonly string[];
  readonly patterns: readonly Pattern[];
}

type TargetCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Parses TARGET_ALLOWLIST: a list, or a comma-separated text. An entry is `*` (any public host),
 * a name, `*.name` (all its subdomains), an address, or a range such as `10.0.0.0/8`; each but a
 * range may end in `:port`.
 *
 * @throws TypeError naming the invalid entry
 */
export function parseAllowlist(configured: unknown): Allowlist {
  const listed: unknown = typeof configured === 'string' ? configured.split(',') : configured;
  if (!Array.isArray(listed)) throw new TypeError('TARGET_ALLOWLIST must be a list of texts');
  const written = listed.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
  return { written, patterns: written.map(parsePattern) };
}

/**
 * Checks whether an address may be a target, and normalises it. Numbers in other bases
 * (`http://2130706433`, `0x7f.1`) and full-width letters are resolved by the URL parser, so each
 * spelling of an address is judged as that address. A name is judged as a name: restricting what it
 * resolves to is up to the network.
 */
export function checkTarget(text: string, { written, patterns }: Allowlist): TargetCheck {
  const url = URL.parse(text);
  const fault = url ? faultOf(url) : 'it is not an address';
  if (!url || fault !== undefined) return { ok: false, reason: fault ?? '' };
  const host = hostOf(url);
  if (patterns.some((allows) => allows(host))) return { ok: true, url: url.href };
  const list = written.length === 0 ? 'nothing' : written.join(', ');
  return { ok: false, reason: `its host ${host.name} is not allowed (TARGET_ALLOWLIST: ${list})` };
}

/** Whether an entry other than `*` allows an address: then exactly this host was intended. */
export function isNamedTarget(text: string, { patterns }: Allowlist): boolean {
  const host = hostOf(new URL(text));
  return patterns.some((allows) => allows !== isPublic && allows(host));
}

function faultOf({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'it is not http or https';
  if (username !== '' || password !== '') return 'it holds credentials';
  return search !== '' || hash !== '' ? 'it holds a query or a fragment' : undefined;
}

function hostOf({ hostname, protocol, port }: URL): Host {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const ip = parseIp(name);
  const standard = protocol === 'http:' ? 80 : 443;
  return { name, ip: ip && unwrapIp(ip), port: port === '' ? standard : Number(port) };
}

function parsePattern(entry: string): Pattern {
  if (entry === '*') return isPublic;
  const range = parseRange(entry);
  if (range) return inRange(range);
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const onPort: Pattern = (found) => port === undefined || found.port === Number(port);
  const matches = parseHost(host.toLowerCase());
  if (!matches) throw new TypeError(`TARGET_ALLOWLIST holds ${JSON.stringify(entry)}: ${EXPECTED}`);
  return (found) => onPort(found) && matches(found);
}

const EXPECTED = 'expected *, a host, *.host, host:port, an address or a range such as 10.0.0.0/8';

function parseHost(host: string): Pattern | undefined {
  const range = parseRange(host);
  if (range) return inRange(range);
  const [, wildcard, name = ''] = /^(\*\.)?(.*)$/.exec(host) ?? [];
  if (!/^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(name) || /(?:^|\.)[0-9.]+$/.test(name)) return;
  if (wildcard) return (found) => found.name.endsWith(`.${name}`);
  return (found) => found.name === name;
}

function inRange(range: IpRange): Pattern {
  // A range written in IPv6 that stands for IPv4 means those addresses.
  const inner = range.prefix === range.base.bits ? unwrapIp(range.base) : range.base;
  const wanted = inner === range.base ? range : { base: inner, prefix: inner.bits };
  return ({ ip }) => ip !== undefined && isWithin(ip, wanted);
}

/** Names that only have a meaning within one network: RFC 6761, RFC 8375 and the like. */
const PRIVATE_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion|arpa)$/;

function isPublic({ name, ip }: Host): boolean {
  if (ip) return isPublicIp(ip);
  return name.includes('.') && !PRIVATE_NAMES.test(name);
}

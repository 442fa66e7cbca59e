import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { auditLockfile, type Lockfile, type Manifest } from './audit-lockfile.ts';

/**
 * Looks at the dependencies: exact versions, integrity, no foreign addresses, install scripts and
 * licences, offline; then asks the registry for known vulnerabilities, unless `--offline` is given.
 * A registry that does not answer is said, and is no failure: the rest was looked at.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));

const lockfile = read('package-lock.json') as Lockfile;
const faults = auditLockfile(read('package.json') as Manifest, lockfile);
for (const fault of faults) console.error(`audit: ${fault}`);
const count = Object.keys(lockfile.packages).length - 1;
if (faults.length === 0) {
  console.log(
    `audit: ${count} packages: versions, integrity, scripts and licences are as expected`,
  );
}
const isVulnerable = process.argv.includes('--offline') ? false : askRegistry();
process.exit(faults.length > 0 || isVulnerable ? 1 : 0);

interface AuditReport {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string }>
  >;
}

/** Whether the registry that npm is configured with knows of a vulnerability; each is printed. */
function askRegistry(): boolean {
  const npm = process.env['npm_execpath'];
  const [file, prefix] = npm ? [process.execPath, [npm]] : ['npm', []];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = spawnSync(file, [...prefix, 'audit', '--json'], options);
  const report = parseReport(stdout);
  if (!report.vulnerabilities) {
    const reason = (report.message ?? 'no answer').replaceAll(/https?:\/\/\S+/g, '…');
    console.log(
      `audit: SKIPPED known vulnerabilities: the registry does not tell them (${reason})`,
    );
    return false;
  }
  const found = Object.entries(report.vulnerabilities);
  for (const [name, { severity, range }] of found)
    console.error(`audit: ${name} ${range}: ${severity}`);
  console.log(`audit: ${found.length} known vulnerabilities`);
  return found.length > 0;
}

function parseReport(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return {};
  }
}

/** The members of a package in package-lock.json that are checked. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

/** Licences that ask for no more than to be named. */
const FREE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'NIST-Software',
  'Unlicense',
]);
/** Those that ask more of who passes the package on: good for tools alone, which nobody is given. */
const TOOLS_ONLY = new Set(['LGPL-3.0-or-later', 'MPL-2.0']);
/** Packages that name no licence by its identifier, and what a person read in them. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  'combine-errors': 'MIT',
  h5wasm: 'NIST-Software',
};

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** Faults of the dependencies by these two files alone, without the network. */
export function auditLockfile(manifest: Manifest, { packages }: Lockfile): readonly string[] {
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  return [
    ...inexact(manifest),
    ...differing(manifest, packages['']),
    ...installed.flatMap(([path, found]) => packageFaults(nameOf(path), found, manifest)),
  ];
}

const inexact = (manifest: Manifest) =>
  KINDS.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${name}: ${kind} asks for "${version}", expected one version`),
  );

const differing = (manifest: Manifest, locked: LockedPackage = {}) =>
  KINDS.filter((kind) => !sameEntries(manifest[kind], locked[kind])).map(
    (kind) => `package-lock.json was made of other ${kind} than package.json names: npm install`,
  );

const sameEntries = (one: object = {}, other: object = {}): boolean =>
  sortedText(one) === sortedText(other);

const sortedText = (entries: object) => JSON.stringify(Object.entries(entries).toSorted());

function packageFaults(name: string, found: LockedPackage, manifest: Manifest): string[] {
  const faults: string[] = [];
  if (!found.integrity) faults.push('has no integrity in package-lock.json');
  if (found.resolved) faults.push(`is taken from ${found.resolved}, expected no "resolved"`);
  if (found.hasInstallScript && manifest.allowScripts?.[name] === undefined) {
    faults.push('has an install script, and allowScripts of package.json does not name it');
  }
  faults.push(...licenseFaults(name, found));
  return faults.map((fault) => `${name}@${found.version}: ${fault}`);
}

function licenseFaults(name: string, { license, dev }: LockedPackage): string[] {
  const read = READ_BY_HAND[name] ?? license ?? 'none';
  if (isAllowed(read, dev === true)) return [];
  return [`has the licence ${read}, which is not allowed${dev ? '' : ' in a product'}`];
}

/** An SPDX expression: every part of AND, one part of OR. */
function isAllowed(expression: string, isTool: boolean): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) =>
      choice
        .split(' AND ')
        .every((license) => FREE.has(license) || (isTool && TOOLS_ONLY.has(license))),
    );
}

/** The name of what lies at a path such as `node_modules/a/node_modules/@b/c`. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

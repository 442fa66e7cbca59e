import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Statement, statementsOf, type Taken } from './declarations.ts';

/** A file of declarations, and what of it is reached. */
export interface DeclarationFile {
  readonly path: string;
  readonly statements: readonly Statement[];
  readonly kept: Set<Statement>;
  /** Names here that something kept speaks of. */
  readonly spoken: Set<string>;
}

const INLINE = /import\(['"]([^'"]+)['"]\)(?:\.(\w+))?/g;

/**
 * Walks declarations from those that are public to all that these speak of. Types of libraries that are bundled,
 * such as zod, are reached by the insides alone: a public type that leads there is refused.
 */
export class ReachedTypes {
  readonly files = new Map<string, DeclarationFile>();

  /** Reaches all that a file exports. */
  wantAll(path: string): void {
    const file = this.#fileOf(path);
    for (const one of file.statements.filter(({ isExported }) => isExported)) {
      this.#keep(file, one);
      for (const name of one.declares) this.#speak(file, name);
      if (!one.taken) continue;
      if (one.taken.names.has('*')) this.wantAll(addressOf(file, one.taken.from));
      else for (const name of one.taken.names.keys()) this.#hand(file, one.taken, name);
    }
  }

  #fileOf(path: string): DeclarationFile {
    const known = this.files.get(path);
    if (known) return known;
    const statements = statementsOf(readBuilt(path));
    const file = { path, statements, kept: new Set<Statement>(), spoken: new Set<string>() };
    this.files.set(path, file);
    return file;
  }

  /** Reaches one export; false where the file has none of that name. */
  #want(file: DeclarationFile, name: string): boolean {
    const own = file.statements.filter((one) => one.isExported && offers(one, name));
    for (const one of own) {
      this.#keep(file, one);
      if (one.taken) this.#hand(file, one.taken, name);
      else this.#speak(file, name);
    }
    return own.length > 0 || file.statements.some((one) => this.#isPassedOn(file, one, name));
  }

  /** Whether `export * from` has the name. */
  #isPassedOn(file: DeclarationFile, statement: Statement, name: string): boolean {
    const { taken } = statement;
    if (!taken?.isPassedOn || !taken.names.has('*')) return false;
    const isThere = this.#want(this.#fileOf(addressOf(file, taken.from)), name);
    if (isThere) this.#keep(file, statement);
    return isThere;
  }

  /** Follows a name to the file that it is taken from. */
  #hand(file: DeclarationFile, { from, names }: Taken, name: string): void {
    file.spoken.add(name);
    if (from.startsWith('node:')) return;
    const there = names.get(name) ?? name;
    const target = addressOf(file, from);
    if (there === '*') this.wantAll(target);
    else if (!this.#want(this.#fileOf(target), there))
      throw new Error(`${target} does not export ${there}`);
  }

  /** Keeps a statement and all that its text speaks of. */
  #keep(file: DeclarationFile, statement: Statement): void {
    if (file.kept.has(statement)) return;
    file.kept.add(statement);
    if (statement.taken) return;
    for (const [, from = '', name] of statement.code.matchAll(INLINE)) {
      if (from.startsWith('node:')) continue;
      const target = addressOf(file, from);
      if (name === undefined) this.wantAll(target);
      else this.#want(this.#fileOf(target), name);
    }
    for (const word of new Set(statement.code.match(/[A-Za-z_$][\w$]*/g))) this.#speak(file, word);
  }

  #speak(file: DeclarationFile, word: string): void {
    if (file.spoken.has(word)) return;
    for (const one of file.statements) {
      if (!one.taken && one.declares.includes(word)) {
        file.spoken.add(word);
        this.#keep(file, one);
      } else if (one.taken && !one.taken.isPassedOn && one.taken.names.has(word)) {
        this.#keep(file, one);
        this.#hand(file, one.taken, word);
      }
    }
  }
}

const offers = ({ declares, taken }: Statement, name: string) =>
  declares.includes(name) || (taken?.isPassedOn === true && taken.names.has(name));

function addressOf({ path }: DeclarationFile, from: string): string {
  if (from.startsWith('.')) return join(dirname(path), from.replace(/\.ts$/, '.d.ts'));
  throw new Error(`${path} leads to types of ${from}: expected none but our own`);
}

/** The project of the WASM hosts has built the parts of the engine that it shares. */
function readBuilt(path: string): string {
  const shared = path.replace('/engine/', '/wasm-host/');
  return readFileSync(existsSync(path) ? path : shared, 'utf8');
}

/** Each entry is applied once, in order, and never edited after it has been released. */
export const ACCESS_MIGRATIONS: readonly string[] = [];

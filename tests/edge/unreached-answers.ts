/** Documented answers that no test brings about, by their code or as a whole, and why. */
export const UNREACHED: Readonly<Record<string, string>> = {};

/** A parser that remembers its latest result: a setting stays the same value while an isolate lives. */
export function parsedOnce<S, T>(parse: (setting: S) => T): (setting: S) => T {
  let latest: { readonly setting: S; readonly value: T } | undefined;
  return (setting) => {
    if (!latest || latest.setting !== setting) latest = { setting, value: parse(setting) };
    return latest.value;
  };
}

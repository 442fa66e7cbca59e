/** Labels of a series; `service` is always the service that reported it. */
export type Labels = Readonly<Record<string, string>>;

/** An object as seen by its callers: every method returns a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => R extends Promise<unknown> ? R : Promise<R>
    : never;
};

/**
 * The objects of one class. Callers name the calls that they make, so that the environment depends on
 * no class: else every file that reads a setting would import all objects. The runtime's own type of a
 * stub, beside that, refuses `unknown` inside of JSON.
 */
export interface ObjectNamespace {
  getByName<Calls>(
    name: string,
    options?: DurableObjectNamespaceGetDurableObjectOptions,
  ): Remote<Calls> & Pick<Fetcher, 'fetch'>;
}

/** The name of the object where a class has only one. */
export const MAIN = 'main';

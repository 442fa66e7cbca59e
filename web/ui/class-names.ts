/** Joins the class names that apply; CSS modules type each as maybe missing. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

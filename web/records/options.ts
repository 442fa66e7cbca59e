/** The options of a select or segmented control, labelled by a function. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
) => values.map((value) => ({ value, label: label(value) }));

/** The text fields of a form, trimmed; passwords stay as they were typed. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') values[name] = /password|current|next/.test(name) ? value : value.trim();
  }
  return values;
}

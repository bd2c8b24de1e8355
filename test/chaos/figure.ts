/** How much of something happens in a run, by an environment variable. Throws for what is no number of at least 1. */
export function figure(name: string, otherwise: number): number {
  const value = parseInt(process.env[name] ?? `${otherwise}`, 10);
  if (!(value > 0)) throw new Error(`${name} is a number of at least 1.`);
  return value;
}
